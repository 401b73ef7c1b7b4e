import { describe, expect, it } from 'vitest'
import { driftOf } from '../../../../functions/recovery/stock/drift.ts'

const still = { visible: 0, inFlight: 0, delayed: 0 }
const atRest = { outbox: 0, queue: still }
const inOutbox = { outbox: 1, queue: still }
const inQueue = { outbox: 0, queue: { ...still, inFlight: 1 } }

const drift = (booked: number, sold: number, onTheirWay: Parameters<typeof driftOf>[2], heldBack = 0) =>
  driftOf({ booked, heldBack }, { sold }, onTheirWay)

describe('the drift of a sale (I4)', () => {
  it('is booked − sold at rest, without what a recovery holds back', () => {
    expect([drift(5, 5, atRest), drift(5, 3, atRest), drift(5, 3, atRest, 2)]).toEqual([0, 2, 0])
  })

  it('is unknown while the outbox has messages: what is equal now may differ once they are sent', () => {
    expect([drift(5, 5, inOutbox), drift(5, 3, inOutbox)]).toEqual([null, null])
  })

  it('is unknown while the queue has messages of any sale, unless the counts are equal', () => {
    expect([drift(5, 5, inQueue), drift(5, 3, inQueue)]).toEqual([0, null])
  })

  it('is known at any time where more is sold than booked', () => {
    expect([drift(3, 5, atRest), drift(3, 5, inOutbox), drift(3, 5, inQueue)]).toEqual([-2, -2, -2])
  })

  it('is in the wrong variants where the sum is right (N1)', () => {
    const left = (units: number) => ({ total: 5, left: units, heldBack: 0 })
    const stock = { booked: 4, heldBack: 0, variants: { s: left(2), m: left(4) } }
    const totals = (s: number, m: number) => ({
      sold: s + m,
      variants: { s: { sold: s, left: 0 }, m: { sold: m, left: 0 } },
    })
    const of = (s: number, m: number) => driftOf(stock, totals(s, m), atRest)
    expect([of(3, 1), of(2, 2), of(1, 3)]).toEqual([0, 1, 2])
  })
})
