/** Signs and verifies passes (pass.ts). An HMAC costs a few microseconds, so nothing is remembered. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import {
  dayOf,
  type Pass,
  type PassKeys,
  passLifeSeconds,
  passPattern,
  shopperHashLength,
} from '../../core/gate/pass.ts'
import type { ShopperId } from '../../core/ids.ts'

/** The hash of a shopper in passes, which is the same for all sales and days. */
export function shopperHashOf(shopperId: ShopperId): string {
  return hash('sha256', shopperId, 'base64url').slice(0, shopperHashLength)
}

/** A pass as from `now` (epoch ms); undefined while its key is not known. */
export function issuePass(shopperId: ShopperId, keys: PassKeys, now: number): string | undefined {
  const expiresAt = Math.floor(now / 1000) + passLifeSeconds
  const key = keys.get(dayOf(expiresAt))
  if (key === undefined) return undefined
  const head = `v1.${shopperHashOf(shopperId)}.${expiresAt}`
  return `${head}.${signatureOf(head, key)}`
}

/**
 * `unknown`: signed with a key that is not known here, which proves nothing. Undefined for a pass that
 * is not valid at `now` (epoch ms).
 */
export function verifyPass(
  text: string | undefined,
  keys: PassKeys,
  now: number,
): Pass | 'unknown' | undefined {
  if (keys.size === 0) return 'unknown'
  const [head, shopperHash, expiry, signature] = partsOf(text)
  if (head === undefined || shopperHash === undefined || signature === undefined) return undefined
  const expiresAt = Number(expiry)
  const leftSeconds = expiresAt - now / 1000
  if (leftSeconds <= 0 || leftSeconds > passLifeSeconds + clockSlackSeconds) return undefined
  const key = keys.get(dayOf(expiresAt))
  if (key === undefined) return 'unknown'
  const isSigned = timingSafeEqual(Buffer.from(signatureOf(head, key)), Buffer.from(signature))
  return isSigned ? { shopperHash, expiresAt } : undefined
}

/** Edges may disagree by this much about how long a pass is valid. */
export const clockSlackSeconds = 60

function partsOf(text: string | undefined): (string | undefined)[] {
  const match = text === undefined ? null : passPattern.exec(text)
  if (match === null || text === undefined) return []
  return [text.slice(0, text.lastIndexOf('.')), match[1], match[2], match[3]]
}

function signatureOf(head: string, key: string): string {
  return createHmac('sha256', key).update(head).digest('base64url')
}
