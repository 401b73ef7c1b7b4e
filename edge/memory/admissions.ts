/**
 * Admissions to the stock (G3-G5). An instance leases a few at a time from the store, and requests spend them from
 * memory, so the load of the store follows the stock and not the crowd.
 *
 * - A lease expires `leaseLifeMs` after it was requested. The next request for a lease returns what is left of it,
 *   exactly once: a second return would be taken from another lease.
 * - One lease per sale is requested at a time. Clients that arrive meanwhile wait in a queue; while
 *   leases bring admissions, the next lease is requested for the rest of the queue. After one
 *   second in all the rest is refused.
 * - A busy instance that used a lease up while it was good requests twice as many: at most half of what
 *   it then holds is more than its present crowd takes, and a busy instance needs few requests.
 * - When the store has none left, the instance refuses from memory for a random time of one to two
 *   seconds, or until units come back; when it has none for this moment by the rate of the sale (R4),
 *   for half a second to one.
 * - While a sale is frozen, its lease goes back at once: spent admissions may belong to units that
 *   were lost, and that many units are not sold again until the recovery has counted them.
 * - No admission is given when the store does not answer or does not know the sale (I6).
 */
import QuickLRU from 'quick-lru'
import { leaseLifeMs } from '../../core/gate/admission.ts'
import type { SaleId } from '../../core/ids.ts'
import type { GateStore, Lease, UnusedAdmissions } from './gate-store.ts'

/** `second` (epoch) counts the admission. `release` returns an unused admission; call it at most once. */
export type Admission = { kind: 'admitted'; second: number; release(): void } | Refused

/** `full`: all admissions of the sale or this second are out. `sold-out`: all units are booked. */
type Refused = { kind: 'full' } | { kind: 'sold-out' } | { kind: 'unavailable' }

export type AdmissionPool = {
  /** `revision` is the sale's `restockedRevision`, `now` epoch ms. */
  spend(saleId: SaleId, revision: number, now: number): Admission | Promise<Admission>
  /** The refusal for all requests to the sale, when memory has one. */
  refusal(saleId: SaleId, revision: number, now: number): Refused | undefined
  /** Returns the rest of the sale's lease to the store. */
  returnUnspent(saleId: SaleId): void
}

const retryAfterFullMs = 1000
/** The rest of the second, or a part of the next: the crowd that was refused waits longer. */
const retryAfterThrottledMs = 500
const retryAfterUnavailableMs = 250
/** Longest time in the queue while leases still bring admissions. */
const patienceMs = 1000
/** At least this many sales are kept, at most twice as many. */
const maxSales = 500

const full: Refused = { kind: 'full' }
const soldOut: Refused = { kind: 'sold-out' }
const unavailable: Refused = { kind: 'unavailable' }
const refusals: Partial<Record<Lease['kind'], Refused>> = { unknown: unavailable, 'sold-out': soldOut }

type HeldLease = { count: number; left: number; second: number; requestedAt: number }

/** `refused` holds from `requestedAt` until `retryFrom`, for the `revision` of the last request. */
type SaleAdmissions = {
  lease: HeldLease | undefined
  refused: Refused
  revision: number
  requestedAt: number
  retryFrom: number
  isRequesting: boolean
  queue: ((admission: Admission) => void)[]
}

/** `clock` gives epoch ms. `onFailure` is called when the store does not answer. */
type LeasePorts = { store: Pick<GateStore, 'admit'>; clock: () => number; onFailure: (error: unknown) => void }

export function createAdmissions(ports: LeasePorts): AdmissionPool {
  const sales = new QuickLRU<SaleId, SaleAdmissions>({ maxSize: maxSales })

  function saleOf(saleId: SaleId): SaleAdmissions {
    const seen = sales.get(saleId)
    if (seen !== undefined) return seen
    const sale: SaleAdmissions = {
      lease: undefined,
      refused: full,
      revision: 0,
      requestedAt: 0,
      retryFrom: 0,
      isRequesting: false,
      queue: [],
    }
    sales.set(saleId, sale)
    return sale
  }

  return {
    spend(saleId, revision, now) {
      const sale = saleOf(saleId)
      if (!sale.isRequesting) {
        const admission = take(sale, now)
        if (admission !== undefined) return admission
        if (isRefusing(sale, revision, now)) return sale.refused
      }
      return new Promise((resolve) => {
        sale.queue.push(resolve)
        if (!sale.isRequesting) void serveQueue(ports, saleId, sale, revision)
      })
    },
    returnUnspent(saleId) {
      const sale = sales.get(saleId)
      if (sale?.isRequesting === false && unspentOf(sale.lease) !== undefined) {
        void requestLease(ports, saleId, sale, 0)
      }
    },
    refusal(saleId, revision, now) {
      const sale = sales.get(saleId)
      return sale !== undefined && isRefusing(sale, revision, now) ? sale.refused : undefined
    },
  }
}

/** `wanted`: admissions that requests would use at once. */
async function requestLease(
  { store, clock, onFailure }: LeasePorts,
  saleId: SaleId,
  sale: SaleAdmissions,
  wanted: number,
): Promise<void> {
  const now = clock()
  const { lease: old } = sale
  sale.lease = undefined
  sale.requestedAt = now
  sale.retryFrom = now
  const returned = unspentOf(old)
  try {
    const ask = { now, waiting: wanted }
    const lease = await store.admit(saleId, returned === undefined ? ask : { ...ask, returned })
    if (lease.kind === 'granted') {
      const { count, second } = lease
      sale.lease = { count, left: count, second, requestedAt: now }
    }
    sale.refused = refusals[lease.kind] ?? full
    if (lease.kind === 'unknown') sale.retryFrom = now + retryAfterUnavailableMs
    else if (sale.lease === undefined) {
      const pauseMs = lease.kind === 'throttled' ? retryAfterThrottledMs : retryAfterFullMs
      sale.retryFrom = clock() + pauseMs * (1 + Math.random())
    }
  } catch (error) {
    onFailure(error)
    sale.refused = unavailable
    sale.retryFrom = now + retryAfterUnavailableMs
  }
}

/** Requests leases until the queue is empty, no admission is left, or the queue has waited long enough. */
async function serveQueue(ports: LeasePorts, saleId: SaleId, sale: SaleAdmissions, revision: number): Promise<void> {
  const { clock } = ports
  const startedAt = clock()
  sale.isRequesting = true
  sale.revision = revision
  do {
    const wanted = Math.max(sale.queue.length, demandOf(sale.lease, clock()))
    await requestLease(ports, saleId, sale, wanted)
    admitQueue(sale, clock())
  } while (sale.queue.length > 0 && sale.lease !== undefined && clock() - startedAt < patienceMs)
  sale.isRequesting = false
  for (const resolve of sale.queue.splice(0)) resolve(sale.refused)
}

/**
 * Fewer used admissions are no crowd. When the stock is lost, an unused lease counts as sold until it expires,
 * so a quiet instance must not lease more than it uses.
 */
const minCrowd = 4

/** The admissions that the next requests will take, by those that took the last ones. */
function demandOf(lease: HeldLease | undefined, now: number): number {
  if (lease === undefined || !isGood(lease, now)) return 0
  const used = lease.count - lease.left
  return used < minCrowd ? 0 : 2 * used
}

// A clock that was set back must not lengthen a lease.
const isGood = ({ requestedAt }: HeldLease, now: number) => now >= requestedAt && now - requestedAt < leaseLifeMs

/** The admissions of an ended lease that go back to the store. */
function unspentOf(lease: HeldLease | undefined): UnusedAdmissions | undefined {
  if (lease === undefined || lease.left === 0) return undefined
  return { second: lease.second, count: lease.left }
}

function admitQueue(sale: SaleAdmissions, now: number): void {
  while (sale.queue.length > 0) {
    const admission = take(sale, now)
    if (admission === undefined) return
    sale.queue.shift()?.(admission)
  }
}

function take({ lease }: SaleAdmissions, now: number): Admission | undefined {
  if (lease === undefined || !isGood(lease, now) || lease.left === 0) return undefined
  lease.left -= 1
  return {
    kind: 'admitted',
    second: lease.second,
    release() {
      // To its own lease, although that may have ended: a later lease lives longer than the store counts this one.
      lease.left += 1
    },
  }
}

function isRefusing(sale: SaleAdmissions, revision: number, now: number): boolean {
  const isCurrent = sale.lease === undefined && !sale.isRequesting && sale.revision === revision
  return isCurrent && now >= sale.requestedAt && now < sale.retryFrom
}
