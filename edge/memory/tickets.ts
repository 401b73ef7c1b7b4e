/**
 * Tickets: what a shopper gets for a check that another service has judged. A ticket is signed for
 * one sale and one shopper and not stored, and verifying it costs one HMAC for each key.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { challengeLifeMs, type Solved } from './challenges.ts'

/** Nonce, end in epoch seconds, signature: parts of fixed length, so they need no escapes. */
const ticketPattern = /^([0-9a-f]{32})_([0-9]{10})_([A-Za-z0-9_-]{43})$/

/** Whom a ticket or a widget is for. */
export type Holder = { saleId: SaleId; shopperId: ShopperId }

/**
 * What `key` signs for this use, sale and shopper: text of 43 characters that only this shop can make.
 * The list of parts has one spelling, so no two signatures mean the same.
 */
export function signatureFor(
  key: string,
  use: 'ticket' | 'widget',
  { saleId, shopperId }: Holder,
  ...parts: readonly string[]
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([use, saleId, shopperId, ...parts]))
    .digest('base64url')
}

/** Compares in constant time; both have the same length. */
export function isSame(signature: string, given: string): boolean {
  return signature.length === given.length && timingSafeEqual(Buffer.from(signature), Buffer.from(given))
}

/** A new ticket, from `now` on (epoch ms) as long as a challenge; `expiresAt` is epoch ms. */
export function issueTicket(key: string, holder: Holder, now: number) {
  const nonce = randomBytes(16).toString('hex')
  const end = String(Math.floor((now + challengeLifeMs) / 1000))
  const signature = signatureFor(key, 'ticket', holder, nonce, end)
  return { ticket: `${nonce}_${end}_${signature}`, expiresAt: Number(end) * 1000 }
}

/** The ticket in `text`, if one of `keys` has signed it for this sale and shopper. */
export function verifyTicket(text: string, keys: readonly string[], holder: Holder, now: number): Solved | undefined {
  const [, nonce, end, signature] = ticketPattern.exec(text) ?? []
  if (nonce === undefined || end === undefined || signature === undefined) return undefined
  const expiresAt = Number(end) * 1000
  if (expiresAt <= now) return undefined
  const isOurs = keys.some((key) => isSame(signatureFor(key, 'ticket', holder, nonce, end), signature))
  return isOurs ? { id: nonce, expiresAt } : undefined
}
