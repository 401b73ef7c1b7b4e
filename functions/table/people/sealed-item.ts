/**
 * An item with personal data: `sealed`, its content encrypted for its owner, and `expiresAt`, after which
 * DynamoDB deletes it within days. Until then it reads as missing.
 */
import type { Purpose, Sealer } from '../../lib/sealer.ts'
import type { Item } from '../query.ts'

/** `expiresAt` is in epoch ms; DynamoDB expects seconds. */
export async function sealedItem(
  sealer: Sealer,
  purpose: Purpose,
  content: Record<string, unknown>,
  expiresAt: number,
) {
  return { sealed: await sealer.seal(purpose, content), expiresAt: Math.ceil(expiresAt / 1000) }
}

/** False for an item that is expired at `now`, epoch ms. */
export function isKept({ expiresAt }: Item, now: number): boolean {
  return Number(expiresAt) * 1000 > now
}
