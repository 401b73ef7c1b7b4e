/**
 * Who may go on to the stock (G3-G5). The store hands out a few admissions at a time, and clicks spend them from memory:
 * what the store hears follows the stock and not the crowd.
 *
 * - A lease is good for `leaseLifeMs` from the moment of asking. What is left then is void here and is told to the store
 *   with the next question, once: told twice, it would be taken from somebody else's lease.
 * - One question per sale is under way at a time. Clicks that come meanwhile wait in line; as long as questions bring
 *   admissions the next one is asked for those who still wait, and after a second in all they are sent away.
 * - Told that there is none, the instance answers from memory and asks again after one to two seconds, no two instances
 *   together; at once when units came back.
 * - While the stock of a sale is rebuilt, what is left of a lease goes back at once: whatever is out may have become a unit
 *   that was lost, and as many units are not sold again until that is known.
 * - No answer, or a store that knows of no admissions, lets nobody through (I6).
 */
import QuickLRU from 'quick-lru'
import { leaseLifeMs } from '../core/admission.ts'
import type { SaleId } from '../core/ids.ts'
import type { GateStore, Lease, Unspent } from './gate-store.ts'

/**
 * `second` is the epoch second that the admission is counted in, undefined where nobody counts. `giveBack`: the click goes no
 * further after all; to be called once.
 */
export type Admission = { kind: 'admitted'; second: number | undefined; giveBack(): void } | Refused

/** `full`: every admission is out for the moment. `sold-out`: every unit is booked. `unavailable`: nobody can say. */
export type Refused = { kind: 'full' } | { kind: 'sold-out' } | { kind: 'unavailable' }

export type Admissions = {
  /** `revision` is the sale's `restockedRevision`, `now` epoch ms. */
  spend(saleId: SaleId, revision: number, now: number): Admission | Promise<Admission>
  /** What every click on the sale would be told, if memory alone can say that; undefined when it is worth a try. */
  refusal(saleId: SaleId, revision: number, now: number): Refused | undefined
  /** Returns what is left of the sale's lease to the store. */
  returnUnspent(saleId: SaleId): void
}

/** An unlimited sale is asked about again once a minute. */
const unlimitedLifeMs = 60_000
const retryAfterFullMs = 1000
const retryAfterDarkMs = 250
/** Longest time in line while questions still bring something. */
const patienceMs = 1000
/** At least so many sales are remembered, at most twice as many. */
const maxSales = 500

const full: Refused = { kind: 'full' }
const soldOut: Refused = { kind: 'sold-out' }
const unavailable: Refused = { kind: 'unavailable' }
const refusals: Partial<Record<Lease['kind'], Refused>> = { unknown: unavailable, 'sold-out': soldOut }

type Held = { left: number; second: number | undefined; askedAt: number; lifeMs: number }

/** `refused` holds from `askedAt` until `askFrom`, and for the revision that was asked about. */
type Desk = {
  lease: Held | undefined
  refused: Refused
  revision: number
  askedAt: number
  askFrom: number
  isAsking: boolean
  line: ((admission: Admission) => void)[]
}

/** `clock` gives epoch ms. A question without an answer is told to `onFailure`. */
export function createAdmissions(
  store: Pick<GateStore, 'admit'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Admissions {
  const desks = new QuickLRU<SaleId, Desk>({ maxSize: maxSales })

  function deskOf(saleId: SaleId): Desk {
    const seen = desks.get(saleId)
    if (seen !== undefined) return seen
    const desk: Desk = {
      lease: undefined,
      refused: full,
      revision: 0,
      askedAt: 0,
      askFrom: 0,
      isAsking: false,
      line: [],
    }
    desks.set(saleId, desk)
    return desk
  }

  async function ask(saleId: SaleId, desk: Desk): Promise<void> {
    const now = clock()
    const { lease: old } = desk
    desk.lease = undefined
    desk.askedAt = now
    desk.askFrom = now
    const returned = unspentOf(old)
    try {
      const question = { now, waiting: desk.line.length }
      const answer = await store.admit(saleId, returned === undefined ? question : { ...question, returned })
      desk.lease = heldOf(answer, now)
      desk.refused = refusals[answer.kind] ?? full
      if (answer.kind === 'unknown') desk.askFrom = now + retryAfterDarkMs
      else if (desk.lease === undefined) desk.askFrom = clock() + retryAfterFullMs * (1 + Math.random())
    } catch (error) {
      onFailure(error)
      desk.refused = unavailable
      desk.askFrom = now + retryAfterDarkMs
    }
  }

  /** Asks for those in line until all are served, there is nothing more for them, or they have waited long enough. */
  async function serve(saleId: SaleId, desk: Desk, revision: number): Promise<void> {
    const startedAt = clock()
    desk.isAsking = true
    desk.revision = revision
    do {
      await ask(saleId, desk)
      letIn(desk, clock())
    } while (desk.line.length > 0 && desk.lease !== undefined && clock() - startedAt < patienceMs)
    desk.isAsking = false
    for (const answer of desk.line.splice(0)) answer(desk.refused)
  }

  return {
    spend(saleId, revision, now) {
      const desk = deskOf(saleId)
      if (!desk.isAsking) {
        const admission = take(desk, now)
        if (admission !== undefined) return admission
        if (isShut(desk, revision, now)) return desk.refused
      }
      return new Promise((resolve) => {
        desk.line.push(resolve)
        if (!desk.isAsking) void serve(saleId, desk, revision)
      })
    },
    returnUnspent(saleId) {
      const desk = desks.get(saleId)
      if (desk?.isAsking === false && unspentOf(desk.lease) !== undefined) void ask(saleId, desk)
    },
    refusal(saleId, revision, now) {
      const desk = desks.get(saleId)
      return desk !== undefined && isShut(desk, revision, now) ? desk.refused : undefined
    },
  }
}

function heldOf(lease: Lease, askedAt: number): Held | undefined {
  if (lease.kind === 'granted') {
    return { left: lease.count, second: lease.second, askedAt, lifeMs: leaseLifeMs }
  }
  return lease.kind === 'unlimited'
    ? { left: Number.POSITIVE_INFINITY, second: undefined, askedAt, lifeMs: unlimitedLifeMs }
    : undefined
}

/** What the store may be told of a lease that is over. */
function unspentOf(lease: Held | undefined): Unspent | undefined {
  if (lease?.second === undefined || lease.left === 0) return undefined
  return { second: lease.second, count: lease.left }
}

function letIn(desk: Desk, now: number): void {
  while (desk.line.length > 0) {
    const admission = take(desk, now)
    if (admission === undefined) return
    desk.line.shift()?.(admission)
  }
}

function take(desk: Desk, now: number): Admission | undefined {
  const { lease } = desk
  // A clock that was set back must not lengthen a lease.
  const isGood = lease !== undefined && now >= lease.askedAt && now - lease.askedAt < lease.lifeMs
  if (!isGood || lease.left === 0) return undefined
  lease.left -= 1
  return {
    kind: 'admitted',
    second: lease.second,
    giveBack() {
      // To its own lease, though that may be over: a later one may be spent for longer than this is accounted for.
      lease.left += 1
    },
  }
}

function isShut(desk: Desk, revision: number, now: number): boolean {
  const isTold = desk.lease === undefined && !desk.isAsking && desk.revision === revision
  return isTold && now >= desk.askedAt && now < desk.askFrom
}
