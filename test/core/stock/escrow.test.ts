import { describe, expect, it } from 'vitest'
import { sumByVariant } from '../../../core/sale/variants.ts'
import { dividedUnits, plusParts, undivided, withParts } from '../../../core/stock/divided-units.ts'
import {
  changePool,
  type Escrow,
  finishRecovery,
  grant,
  openEscrow,
  recall,
  reissue,
  startRecovery,
} from '../../../core/stock/escrow.ts'
import {
  confirmedLeft,
  type EscrowSnapshot,
  planTransfer,
  runningLow,
  type ShardReading,
} from '../../../core/stock/transfer-plan.ts'

const whole = (delta: number) => dividedUnits({ delta })
const some = (units: number) => ({ id: undivided, units })

/** The escrow of 100 units over shards that have these. */
function escrowWith(...granted: number[]): Escrow {
  const units = granted.reduce((sum, some) => sum + some, 0)
  return {
    revision: 7,
    pool: whole(100 - units),
    change: 0,
    shards: granted.map((some) => ({ granted: whole(some), generation: 0 })),
  }
}

const unsold = (left: number): ShardReading => ({ left: whole(left), stockRevision: 1, change: 7 })

it('the escrow of a split stock refuses a step that cannot be right', () => {
  const escrow = escrowWith(40, 50)
  expect(() => grant(escrow, 0, whole(11))).toThrow(RangeError)
  expect(() => grant(escrow, 0, whole(0))).toThrow(RangeError)
  expect(() => grant(escrow, 0, whole(1.5))).toThrow(RangeError)
  expect(() => grant(escrow, 2, whole(1))).toThrow(RangeError)
  expect(() => recall(escrow, [{ shard: 0, units: whole(0) }])).toThrow(RangeError)
  expect(() => grant(grant(escrow, 0, whole(1)), 0, whole(1))).toThrow(RangeError)
  expect(() => grant(startRecovery(escrow, 0), 0, whole(1))).toThrow(RangeError)
})

it('a recovery ends only for the attempt that took the shard last (I1)', () => {
  const first = startRecovery(escrowWith(40, 50), 0)
  const second = startRecovery(first, 0)
  const [early, late] = [first.revision, second.revision]
  expect(reissue(second, 0, early, whole(10))).toBe(second)
  const reissued = reissue(second, 0, late, whole(10))
  expect(reissued).toMatchObject({ pool: whole(40), shards: [{ granted: whole(10), recovery: 'reissued' }, {}] })
  expect(finishRecovery(reissued, 0, early)).toBe(reissued)
  expect(finishRecovery(reissued, 0, late).shards[0]).not.toHaveProperty('recovery')
})

describe('the plan for a shard with too few units', () => {
  it('grants 1/2N of the pool, or what a larger demand is missing', () => {
    const look = { escrow: escrowWith(10, 10), readings: [unsold(1), unsold(10)] }
    expect(planTransfer(look, { shard: 0, wanted: some(2) }, 5)).toMatchObject({
      escrow: { pool: whole(60), shards: [{ granted: whole(30) }, {}] },
    })
    const nearEnd = { escrow: escrowWith(46, 46), readings: [unsold(0), unsold(1)] }
    expect(planTransfer(nearEnd, { shard: 0, wanted: some(5) }, 5)).toMatchObject({ escrow: { pool: whole(3) } })
  })

  it('recalls half of what the richest other shard has left', () => {
    const look = { escrow: escrowWith(20, 40, 40), readings: [unsold(0), unsold(31), unsold(30)] }
    const recalling = { granted: whole(40), generation: 0, transfer: { number: 8, delta: whole(-16), receiver: 0 } }
    expect(planTransfer(look, { shard: 0, wanted: some(1) }, 5)).toEqual({
      kind: 'save',
      escrow: {
        revision: 8,
        pool: whole(0),
        change: 0,
        shards: [{ granted: whole(20), generation: 0 }, recalling, { granted: whole(40), generation: 0 }],
      },
    })
  })

  it('collects nothing while units are on their way to a shard from which they can be recalled', () => {
    const escrow = grant(escrowWith(20, 40, 36), 1, whole(2))
    const demand = { shard: 0, wanted: some(5) }
    const readings = [unsold(1), unsold(0), unsold(1)]
    expect(planTransfer({ escrow, readings }, demand, 5)).toEqual({ kind: 'wait' })
    const unreachable = [unsold(1), undefined, unsold(1)]
    expect(planTransfer({ escrow, readings: unreachable }, demand, 5)).toMatchObject({
      escrow: {
        shards: [
          { transfer: { delta: whole(-1) } },
          { transfer: { delta: whole(2) } },
          { transfer: { delta: whole(-1) } },
        ],
      },
    })
  })

  it('first gives a shard what it sold beyond its units', () => {
    const look = { escrow: escrowWith(30, 69), readings: [unsold(-3), unsold(2)] }
    const demand = { shard: 1, wanted: some(3) }
    expect(planTransfer(look, demand, 5)).toMatchObject({
      escrow: { pool: whole(0), shards: [{ granted: whole(31) }, {}] },
    })
    const empty = { escrow: escrowWith(31, 69), readings: [unsold(-2), unsold(2)] }
    expect(planTransfer(empty, demand, 5)).toMatchObject({
      escrow: { shards: [{}, { transfer: { delta: whole(-2) } }] },
    })
    expect(planTransfer(empty, { shard: 1 }, 5), 'without a demand').toMatchObject({
      escrow: { shards: [{}, { transfer: { delta: whole(-2) } }] },
    })
  })

  it('grants ahead only while the pool is large', () => {
    const escrow = openEscrow(whole(100), 4)
    expect(runningLow(whole(12), escrow, 5)).toEqual(whole(13))
    expect(runningLow(whole(13), escrow, 5)).toEqual({})
    expect(runningLow(whole(0), { ...escrow, pool: whole(32) }, 5)).toEqual({})
    const look = { escrow, readings: [unsold(12), unsold(0), unsold(0), unsold(0)] }
    expect(planTransfer(look, { shard: 0 }, 5)).toMatchObject({ kind: 'save', escrow: { pool: whole(87) } })
    expect(planTransfer({ ...look, readings: [unsold(13)] }, { shard: 0 }, 5)).toEqual({ kind: 'enough' })
  })
})

it('sold out is not confirmed while the pool still has enough for a demand', () => {
  const first: EscrowSnapshot = { escrow: escrowWith(50, 50), readings: [unsold(0), unsold(0)] }
  expect(confirmedLeft(first, { ...first, escrow: escrowWith(50, 47) })).toEqual(whole(3))
  const oversold = { escrow: escrowWith(50, 47), readings: [unsold(0), unsold(-2)] }
  expect(confirmedLeft(oversold, oversold)).toEqual(whole(1))
})

describe('a stock with variants', () => {
  const none = { s: 0, m: 0, l: 0 }
  const sizes = (units: Partial<typeof none>): ShardReading => ({
    ...{ stockRevision: 1, change: 7 },
    left: { ...none, ...units },
  })
  /** Two shards that were granted all but `pool`. */
  const escrowOf = (pool: Partial<typeof none>): Escrow => ({
    ...{ revision: 7, change: 0, pool: { ...none, ...pool } },
    shards: Array(2).fill({ granted: { s: 20, m: 20, l: 20 }, generation: 0 }),
  })
  const demand = { shard: 0, wanted: { id: 's', units: 2 } }

  it('grants only the variant that a demand is missing, and all that run low in one transfer', () => {
    const look = { escrow: escrowOf({ s: 40, m: 2, l: 40 }), readings: [sizes({ l: 1 }), sizes({})] }
    expect(planTransfer(look, demand, 5)).toMatchObject({
      escrow: { pool: { s: 30, m: 2, l: 40 }, shards: [{ transfer: { delta: { s: 10 } } }, {}] },
    })
    const low = planTransfer(look, { shard: 0 }, 5)
    expect(low).toMatchObject({ escrow: { shards: [{ transfer: { delta: { s: 10, l: 10 } } }, {}] } })
  })

  it('recalls the variant that the pool lacks from one shard', () => {
    const look = { escrow: escrowOf({ m: 5 }), readings: [sizes({}), sizes({ s: 9, m: 9, l: 9 })] }
    expect(planTransfer(look, demand, 5)).toMatchObject({
      escrow: { pool: { m: 5 }, shards: [{}, { transfer: { delta: { s: -5 }, receiver: 0 } }] },
    })
  })

  it('counts a variant that is called like a member of every object as any other (N1)', () => {
    expect(sumByVariant([{ quantity: 2, variant: 'constructor' }])).toEqual({ constructor: 2 })
    expect(plusParts({ s: 1 }, { constructor: 2 })).toEqual({ s: 1, constructor: 2 })
    expect(withParts({ stock: 3, variants: [{ id: 'constructor', name: 'C', stock: 2 }] }, { s: 1 }).variants).toEqual([
      { id: 'constructor', name: 'C', stock: 0 },
    ])
    const look = { escrow: escrowOf({ s: 9 }), readings: [sizes({}), sizes({})] }
    expect(planTransfer(look, { shard: 0, wanted: { id: 'constructor', units: 1 } }, 5)).toEqual({ kind: 'short' })
    expect(() => grant(look.escrow, 0, { constructor: 1 })).toThrow(RangeError)
  })

  it('takes units away only of a variant that the pool has', () => {
    const escrow = escrowOf({ s: 3, m: 3 })
    expect(changePool(escrow, { number: 4, delta: -4, units: { s: -4 } })).toEqual({ kind: 'short', parts: ['s'] })
    expect(changePool(escrow, { number: 4, delta: -3, units: { s: -3 } })).toMatchObject({
      escrow: { pool: { s: 0, m: 3 }, change: 4 },
    })
  })
})
