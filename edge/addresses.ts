/**
 * What one address has on its accounts (R3). A whole company or net café comes from one address, so nobody may be kept out
 * for what strangers do there, and honest requests weigh least. With the default limit of 3,000 points in 60 s
 * - an office of 500 people passes, five requests each: 2,500 points, and 16 impatient ones among them;
 * - a hundred scripts, signed in as as many shoppers, stop each other, by 5 requests that passed and one accusation each;
 * - after 300 tokens that nobody we trust has signed, strangers of that address are looked at ten times a second and no
 *   more. Whoever this instance knows already comes and goes as before.
 *
 * Whoever is told to wait and comes back too early, twice, is no person with our page before them: the page waits by itself.
 * The accounts belong to one sale and to this instance of the gate. Of an IPv6 address it is the network of 64 bits, all of
 * which one customer has.
 */
import { networkOf, parseAddress } from '../core/address.ts'
import type { ThrottleRule } from '../core/sale.ts'
import { createPointWindows } from './point-windows.ts'
import { saleOf, type Visit } from './visit.ts'

const points = {
  /** Signed in and not throttled. */
  passed: 1,
  /** Signed in; once per shopper and window. */
  stubborn: 30,
  /** A token that is none, or that nobody we trust has signed. */
  forged: 10,
}

export type Conduct = keyof typeof points

export type Addresses = {
  /** Notes nothing on paths that name no sale. */
  note(visit: Visit, conduct: Conduct): void
  /** 0 when shoppers may pass from where the visit comes, else the whole seconds until they may again. */
  waitSeconds(visit: Visit): number
  /**
   * The same for whoever this instance does not know, which is asked only where it matters; 0 counts as a look at a
   * stranger's token there.
   */
  strangerWaitSeconds(visit: Visit, isKnown: () => boolean): number
}

/** At least so many are remembered, at most twice as many; each takes about 200 bytes. */
const maxAddresses = 20_000
const subscriberBits = 64

/** How often a token of an address with too many forged ones is looked at: a signature costs a tenth of a millisecond. */
const looks: ThrottleRule = { limit: 10, windowSeconds: 1 }

export function createAddresses(): Addresses {
  const shoppers = createPointWindows(maxAddresses)
  const strangers = createPointWindows(maxAddresses)
  const looked = createPointWindows(maxAddresses)

  return {
    note(visit, conduct) {
      const account = accountOf(visit)
      const book = conduct === 'forged' ? strangers : shoppers
      if (account !== undefined) book.add(account.key, points[conduct], account.rule, visit.now)
    },
    waitSeconds(visit) {
      const account = accountOf(visit)
      return account === undefined ? 0 : shoppers.waitSeconds(account.key, account.rule, visit.now)
    },
    strangerWaitSeconds(visit, isKnown) {
      const { now } = visit
      const account = accountOf(visit)
      if (account === undefined || strangers.waitSeconds(account.key, account.rule, now) === 0) return 0
      if (isKnown()) return 0
      const wait = looked.waitSeconds(account.key, looks, now)
      if (wait === 0) looked.add(account.key, 1, looks, now)
      return wait
    },
  }
}

/** Undefined on paths that name no sale: the limit is a rule of the sale. */
function accountOf(visit: Visit): { key: string; rule: ThrottleRule } | undefined {
  const sale = saleOf(visit)
  if (sale === undefined) return undefined
  return {
    key: `${sale.saleId} ${addressKey(visit.request.clientIp)}`,
    rule: sale.facts.rules.throttle.perIp,
  }
}

/** What requests from `clientIp` are counted by: one text for all addresses of a subscriber, however they are written. */
export function addressKey(clientIp: string): string {
  return clientIp.includes(':') ? subscriberOf(clientIp) : clientIp
}

function subscriberOf(clientIp: string): string {
  const address = parseAddress(clientIp)
  if (address === undefined) return clientIp
  return address.family === 4 ? `4/${address.value}` : `6/${networkOf(address, subscriberBits).value}`
}
