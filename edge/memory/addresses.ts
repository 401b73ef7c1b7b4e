/**
 * Penalty points of addresses (R3). A whole company or internet café has one address, so strangers
 * there must not shut out its shoppers, and honest requests cost least. With the default limit of
 * 3,000 points in 60 s
 * - an office of 500 people passes with five requests each: 2,500 points, and room for 16 impatient
 *   shoppers;
 * - a hundred scripts, each signed in as another shopper, stop each other after 5 requests and one
 *   penalty each;
 * - after 300 forged tokens the gate verifies at most ten tokens of strangers a second for that
 *   address. Shoppers that this instance knows already are not affected.
 *
 * A client that returns twice before its `Retry-After` is not using our page, which waits by itself. Points belong to
 * one sale and to one instance of the gate. An IPv6 address counts as its network of 64 bits, which one customer has.
 */
import { formatRange, networkOf, parseAddress, subscriberBits } from '../../core/gate/ip-address.ts'
import type { ThrottleRule } from '../../core/sale/sale.ts'
import type { KnownSale } from './gate-store.ts'
import { createPointWindows } from './point-windows.ts'

const pointsFor = {
  /** Signed in and not throttled. */
  passed: 1,
  /** Signed in, and returned twice before `Retry-After` was over; counted once per shopper and window. */
  ignoresRetryAfter: 30,
  /** Not a token, or not signed by a trusted key. */
  forged: 10,
}

export type Addresses = {
  addPoints(sale: KnownSale, clientIp: string, reason: keyof typeof pointsFor, now: number): void
  /** 0 when shoppers at the address may pass, else the whole seconds until they may again. */
  waitSeconds(sale: KnownSale, clientIp: string, now: number): number
  /**
   * The wait of shoppers that this instance does not know. Calls `isKnown` only when the address has too many
   * forged tokens. Returning 0 counts one verified token of a stranger there.
   */
  strangerWaitSeconds(sale: KnownSale, clientIp: string, now: number, isKnown: () => boolean): number
}

/** At least this many are kept, at most twice as many; each takes about 200 bytes. */
const maxAddresses = 20_000

/** Verifying a signature costs a tenth of a millisecond. */
const verifications: ThrottleRule = { limit: 10, windowSeconds: 1 }

export function createAddresses(): Addresses {
  const shoppers = createPointWindows(maxAddresses)
  const strangers = createPointWindows(maxAddresses)
  const verified = createPointWindows(maxAddresses)

  return {
    addPoints(sale, clientIp, reason, now) {
      const windows = reason === 'forged' ? strangers : shoppers
      windows.add(keyOf(sale, clientIp), pointsFor[reason], ruleOf(sale), now)
    },
    waitSeconds: (sale, clientIp, now) => shoppers.waitSeconds(keyOf(sale, clientIp), ruleOf(sale), now),
    strangerWaitSeconds(sale, clientIp, now, isKnown) {
      const key = keyOf(sale, clientIp)
      if (strangers.waitSeconds(key, ruleOf(sale), now) === 0 || isKnown()) return 0
      const wait = verified.waitSeconds(key, verifications, now)
      if (wait === 0) verified.add(key, 1, verifications, now)
      return wait
    },
  }
}

const keyOf = ({ saleId }: KnownSale, clientIp: string) => `${saleId} ${addressKey(clientIp)}`
const ruleOf = ({ facts }: KnownSale) => facts.rules.throttle.perIp

/** One key for all addresses of a subscriber, however they are written. */
export function addressKey(clientIp: string): string {
  const address = clientIp.includes(':') ? parseAddress(clientIp) : undefined
  return address === undefined ? clientIp : formatRange(networkOf(address, subscriberBits[address.family]))
}
