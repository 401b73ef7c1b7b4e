/**
 * What one address has on its account (R3). A whole company or net café comes from one address, so honest requests weigh
 * least and signs of a script weigh most. With the default limit of 3,000 points in 60 s
 * - an office of 500 people passes, five requests each: 2,500 points, and 16 impatient ones among them;
 * - forged or broken tokens stop at the 300th;
 * - a hundred scripts with a token each stop each other, by 5 requests that passed and one accusation each: 3,500.
 *
 * Whoever is told to wait and comes back too early, twice, is no person with our page before them: the page waits by itself.
 * The account belongs to one sale and to this instance of the gate; what is on it beside honest requests counts for all
 * instances together, see accusations.ts. Of an IPv6 address it is the network of 64 bits, all of which one customer has.
 */
import { networkOf, parseAddress } from '../core/address.ts'
import type { SaleId } from '../core/ids.ts'
import type { ThrottleRule } from '../core/sale.ts'
import { createAccusations } from './accusations.ts'
import type { GateStore } from './gate-store.ts'
import { createPointWindows } from './point-windows.ts'

const points = {
  /** Signed in and not throttled. */
  passed: 1,
  /** A purchase before the start. */
  early: 1,
  /** A token that is none, or that nobody we trust has signed. */
  'failed-token': 10,
  /** Once per shopper and window. */
  stubborn: 30,
}

export type Conduct = keyof typeof points

export type Addresses = {
  note(saleId: SaleId, clientIp: string, conduct: Conduct, rule: ThrottleRule, now: number): void
  /** 0 when requests from there may pass, else the whole seconds until they may again. `now` is epoch ms. */
  waitSeconds(saleId: SaleId, clientIp: string, rule: ThrottleRule, now: number): number
}

/** At least so many are remembered, at most twice as many; each takes about 200 bytes. */
const maxAddresses = 20_000
const subscriberBits = 64

/** What cannot be told to other instances is told to `onFailure`. */
export function createAddresses(
  store: Pick<GateStore, 'accuse'>,
  onFailure: (error: unknown) => void,
): Addresses {
  const accounts = createPointWindows(maxAddresses)
  const accusations = createAccusations(store, onFailure)
  return {
    note(saleId, clientIp, conduct, rule, now) {
      const address = subscriberOf(clientIp)
      accounts.add(`${saleId} ${address}`, points[conduct], rule, now)
      if (conduct !== 'passed') accusations.add(saleId, address, points[conduct], rule, now)
    },
    waitSeconds(saleId, clientIp, rule, now) {
      const address = subscriberOf(clientIp)
      const here = accounts.waitSeconds(`${saleId} ${address}`, rule, now)
      return Math.max(here, secondsUntil(accusations.shutUntil(saleId, address), rule, now))
    },
  }
}

/** No longer than a window, however far the clocks of the instances differ. */
function secondsUntil(until: number, { windowSeconds }: ThrottleRule, now: number): number {
  return until <= now ? 0 : Math.min(windowSeconds, Math.ceil((until - now) / 1000))
}

/** One text for all addresses of a subscriber, however they are written. */
function subscriberOf(clientIp: string): string {
  if (!clientIp.includes(':')) return clientIp
  const address = parseAddress(clientIp)
  if (address === undefined) return clientIp
  return address.family === 4 ? `4/${address.value}` : `6/${networkOf(address, subscriberBits).value}`
}
