/** `countdown.<version>.js`: written once, checked by reading it back, never rewritten (C6). */
import { countdownOf, countdownPath, countdownSource } from '../../core/pointer.ts'
import type { Sale } from '../../core/sale.ts'
import { immutable, type Site } from './site.ts'

/** A version that is public with other bytes: caches all over the world may hold them for a year. */
export class VersionRewritten extends Error {
  constructor(path: string) {
    super(`${path} is public with other contents and is never rewritten`)
    this.name = 'VersionRewritten'
  }
}

/**
 * Makes the countdown of the sale's present version public. Repeatable: its bytes follow from the sale alone.
 * Throws VersionRewritten when the version is taken.
 */
export async function publishCountdown(site: Site, sale: Sale): Promise<void> {
  const path = countdownPath(sale.saleId, sale.version)
  const body = countdownSource(countdownOf(sale))
  if ((await site.read(path)) === undefined) {
    await site.create({ path, body, contentType: 'text/javascript; charset=utf-8', cacheControl: immutable })
  }
  if ((await site.read(path)) !== body) throw new VersionRewritten(path)
}
