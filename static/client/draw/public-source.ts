/** The published files of a draw as the shop's CDN has them now, for a check of all their bytes. */
import type { SaleId } from '../../../core/ids.ts'
import { drawFilePath } from '../../../core/sale/pointer.ts'

/** A file could not be asked for, which says nothing about it. */
export class Unreachable extends Error {}

/** Files by their paths; undefined for a missing one, and it throws `Unreachable`. */
export function publicSource(saleId: SaleId): (path: string) => Promise<Uint8Array | undefined> {
  return async (path) => {
    const address = `/${drawFilePath(saleId, path)}`
    const response = await fetch(address, { cache: 'no-cache', credentials: 'omit' }).catch((error: unknown) => {
      throw new Unreachable(address, { cause: error })
    })
    if (response.status === 404 || response.status === 403) return undefined
    if (!response.ok) throw new Unreachable(address)
    return new Uint8Array(await response.arrayBuffer())
  }
}
