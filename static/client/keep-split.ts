/**
 * Keeps the hash of the rules by which the red packets of a sale are split (docs/reference/packets.md). The page loads it
 * where it is open before the number that decides, so that a later check finds rules that were replaced.
 */
import { hexOf } from '../../core/draw/bytes.ts'
import type { SaleId } from '../../core/ids.ts'
import { rainFile } from '../../core/packets/packets.ts'
import { keepOfDraw, keptOfDraw } from './draw/kept.ts'
import { publicSource } from './draw/public-source.ts'

/** Nothing is kept of a sale that has announced no split, or while its rules cannot be fetched. */
export async function keepSplit(saleId: SaleId): Promise<void> {
  // Only there browsers have hashes.
  if (keptOfDraw(saleId).rules !== undefined || !isSecureContext) return
  const file = await publicSource(saleId)(rainFile).catch(() => undefined)
  if (file === undefined) return
  const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(file))
  keepOfDraw(saleId, { rules: hexOf(new Uint8Array(hash)) })
}
