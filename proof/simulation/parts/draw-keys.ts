/** The keys of a draw, which follow from a seed, so that the ranks do. */
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/table.ts'
import { drawKeys } from '../../../functions/table/draw/draws.ts'

/** Keeps them before the draw of the sale makes its own. */
export async function keepDrawKeys(table: Table, saleId: SaleId, seed: number): Promise<void> {
  const secret = sha256(new TextEncoder().encode(`draw ${seed}`))
  const point = p256.getPublicKey(secret, false)
  const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const [x, y, d] = [part(point.subarray(1, 33)), part(point.subarray(33)), part(secret)]
  await drawKeys(table, saleId, async () => ({ ids: secret, signing: { kty: 'EC', crv: 'P-256', x, y, d } }))
}
