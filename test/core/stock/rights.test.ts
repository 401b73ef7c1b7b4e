import { describe, expect, it } from 'vitest'
import {
  type Bank,
  finishRecovery,
  grant,
  lend,
  openBank,
  reissue,
  settle,
  startRecovery,
} from '../../../core/stock/rights.ts'
import {
  type BankLook,
  confirmedShort,
  planTransfer,
  runsLow,
  type ShardReading,
} from '../../../core/stock/rights-plan.ts'
import { emptyShard, freezeShard, openShard } from '../../../core/stock/rights-shard.ts'

/** The bank of 100 units over shards that have these. */
function bankWith(...granted: number[]): Bank {
  const units = granted.reduce((sum, some) => sum + some, 0)
  return {
    revision: 7,
    pool: 100 - units,
    change: 0,
    shards: granted.map((some) => ({ granted: some, generation: 0 })),
  }
}

const unsold = (left: number): ShardReading => ({ left, stockRevision: 1, change: 7 })

describe('the bank of a split stock', () => {
  it('refuses a step that cannot be right', () => {
    const bank = bankWith(40, 50)
    expect(() => grant(bank, 0, 11)).toThrow(RangeError)
    expect(() => grant(bank, 0, 0)).toThrow(RangeError)
    expect(() => grant(bank, 0, 1.5)).toThrow(RangeError)
    expect(() => grant(bank, 2, 1)).toThrow(RangeError)
    expect(() => lend(bank, [{ shard: 0, units: 0 }])).toThrow(RangeError)
    expect(() => grant(grant(bank, 0, 1), 0, 1)).toThrow(RangeError)
    expect(() => grant(startRecovery(bank, 0), 0, 1)).toThrow(RangeError)
  })

  it('grants lent units to the borrower in the step that ends the lend', () => {
    const lent = lend(bankWith(60, 40), [{ shard: 0, units: 30 }], 1)
    expect(settle(lent, 0, 8, 'applied')).toEqual({
      revision: 9,
      pool: 0,
      change: 0,
      shards: [
        { granted: 30, generation: 0 },
        { granted: 70, generation: 0, transfer: { number: 9, delta: 30 } },
      ],
    })
  })

  it('ends a transfer once, and only the one that was carried out (I5)', () => {
    const granted = grant(bankWith(40, 50), 0, 10)
    const ended = settle(granted, 0, 8, 'applied')
    expect(ended.shards[0]).toEqual({ granted: 50, generation: 0 })
    expect(settle(ended, 0, 8, 'applied')).toBe(ended)
    expect(settle(granted, 0, 7, 'applied')).toBe(granted)
  })

  it('ends a recovery only for the latest attempt', () => {
    const first = startRecovery(bankWith(40, 50), 0)
    const second = startRecovery(first, 0)
    expect(reissue(second, 0, first.revision, 12)).toBe(second)
    const reissued = reissue(second, 0, second.revision, 12)
    expect(reissued).toMatchObject({ pool: 38, shards: [{ granted: 12 }, { granted: 50 }] })
    expect(reissue(reissued, 0, second.revision, 12)).toBe(reissued)
    expect(finishRecovery(reissued, 0, first.revision)).toBe(reissued)
    expect(finishRecovery(reissued, 0, second.revision).shards[0]).toEqual({ granted: 12, generation: 9 })
  })
})

describe('a shard', () => {
  const frozen = freezeShard({ ...emptyShard, total: 9, left: 4, change: 3 }, 8)

  it('is neither frozen nor opened by a call from before its generation', () => {
    expect(openShard(frozen, { generation: 7, total: 5, heldBack: 0 })).toBe(frozen)
    const open = openShard(frozen, { generation: 8, total: 5, heldBack: 0 })
    expect(open).toMatchObject({ total: 5, left: 0, stockRevision: 1, isFrozen: false })
    expect(open && freezeShard(open, 8)).toBe(open)
    expect(openShard(frozen, { generation: 8, total: 9, heldBack: 3 })).toMatchObject({ total: 9, left: 1 })
  })

  it('that was lost stays closed until its recovery has frozen it', () => {
    expect(openShard(undefined, { generation: 8, total: 5, heldBack: 0 })).toBeUndefined()
    expect(freezeShard(undefined, 8)).toMatchObject({ total: 0, change: 8, isFrozen: true })
  })
})

describe('the plan for a shard with too few units', () => {
  it('grants 1/2N of the pool, or what a larger basket is missing', () => {
    const look = { bank: bankWith(10, 10), readings: [unsold(1), unsold(10)] }
    expect(planTransfer(look, { shard: 0, units: 2 }, 5)).toMatchObject({
      bank: { pool: 60, shards: [{ granted: 30 }, {}] },
    })
    const nearEnd = { bank: bankWith(46, 46), readings: [unsold(0), unsold(1)] }
    expect(planTransfer(nearEnd, { shard: 0, units: 5 }, 5)).toMatchObject({ bank: { pool: 3 } })
  })

  it('recalls half of what the richest other shard has left', () => {
    const look = { bank: bankWith(20, 40, 40), readings: [unsold(0), unsold(31), unsold(30)] }
    const lending = { granted: 40, generation: 0, transfer: { number: 8, delta: -16, borrower: 0 } }
    expect(planTransfer(look, { shard: 0, units: 1 }, 5)).toEqual({
      kind: 'save',
      bank: {
        revision: 8,
        pool: 0,
        change: 0,
        shards: [{ granted: 20, generation: 0 }, lending, { granted: 40, generation: 0 }],
      },
    })
  })

  it('collects all units for a basket that no shard can serve, and then grants it exactly', () => {
    const look = { bank: bankWith(20, 40, 40), readings: [unsold(1), unsold(2), unsold(1)] }
    const plan = planTransfer(look, { shard: 0, units: 4 }, 5)
    const lent = plan.kind === 'save' ? plan.bank.shards.map(({ transfer }) => transfer?.delta) : []
    expect(lent).toEqual([-1, -2, -1])
    const collected = {
      bank: { ...bankWith(19, 38, 39), revision: 9 },
      readings: [unsold(0), unsold(0), unsold(0)],
    }
    expect(planTransfer(collected, { shard: 0, units: 4 }, 5)).toMatchObject({
      bank: { pool: 0, shards: [{ granted: 23 }, {}, {}] },
    })
  })

  it('waits for units in transit and for shards that cannot be read, and then says what is left', () => {
    const wish = { shard: 0, units: 3 }
    const readings = [unsold(0), unsold(0)]
    const bank = bankWith(50, 48)
    expect(planTransfer({ bank, readings }, wish, 5)).toEqual({ kind: 'short', left: 2 })
    expect(planTransfer({ bank, readings: [unsold(0), undefined] }, wish, 5)).toEqual({ kind: 'wait' })
    expect(planTransfer({ bank: grant(bank, 1, 1), readings }, wish, 5)).toEqual({ kind: 'wait' })
    expect(planTransfer({ bank: startRecovery(bank, 1), readings: [unsold(0), undefined] }, wish, 5)).toEqual(
      {
        kind: 'wait',
      },
    )
  })

  it('collects nothing while units are on their way to a shard that can lend them', () => {
    const bank = grant(bankWith(20, 40, 36), 1, 2)
    const wish = { shard: 0, units: 5 }
    const readings = [unsold(1), unsold(0), unsold(1)]
    expect(planTransfer({ bank, readings }, wish, 5)).toEqual({ kind: 'wait' })
    const unreachable = [unsold(1), undefined, unsold(1)]
    expect(planTransfer({ bank, readings: unreachable }, wish, 5)).toMatchObject({
      bank: {
        shards: [{ transfer: { delta: -1 } }, { transfer: { delta: 2 } }, { transfer: { delta: -1 } }],
      },
    })
  })

  it('first gives a shard what it sold beyond its units', () => {
    const look = { bank: bankWith(30, 69), readings: [unsold(-3), unsold(2)] }
    const wish = { shard: 1, units: 3 }
    expect(planTransfer(look, wish, 5)).toMatchObject({ bank: { pool: 0, shards: [{ granted: 31 }, {}] } })
    const empty = { bank: bankWith(31, 69), readings: [unsold(-2), unsold(2)] }
    expect(planTransfer(empty, wish, 5)).toMatchObject({
      bank: { shards: [{}, { transfer: { delta: -2 } }] },
    })
    expect(planTransfer(empty, { shard: 1, units: 0 }, 5), 'without a wish').toMatchObject({
      bank: { shards: [{}, { transfer: { delta: -2 } }] },
    })
  })

  it('grants ahead only while the pool is large', () => {
    const bank = openBank(100, 4)
    expect(runsLow(12, bank, 5)).toBe(true)
    expect(runsLow(13, bank, 5)).toBe(false)
    expect(runsLow(0, { ...bank, pool: 32 }, 5)).toBe(false)
    const look = { bank, readings: [unsold(12), unsold(0), unsold(0), unsold(0)] }
    expect(planTransfer(look, { shard: 0, units: 0 }, 5)).toMatchObject({ kind: 'save', bank: { pool: 87 } })
    expect(planTransfer({ ...look, readings: [unsold(13)] }, { shard: 0, units: 0 }, 5)).toEqual({
      kind: 'enough',
    })
  })
})

describe('sold out', () => {
  const first: BankLook = { bank: bankWith(50, 50), readings: [unsold(0), unsold(0)] }

  it('needs two equal readings of all shards, and nothing under way', () => {
    expect(confirmedShort(first, first)).toBe(0)
    const differing: ShardReading[] = [
      undefined,
      unsold(1),
      { left: 0, stockRevision: 2, change: 7 },
      { left: 0, stockRevision: 1, change: 8 },
    ]
    for (const reading of differing) {
      expect(confirmedShort(first, { ...first, readings: [unsold(0), reading] })).toBeUndefined()
      expect(confirmedShort({ ...first, readings: [reading, unsold(0)] }, first)).toBeUndefined()
    }
    const lending = lend(first.bank, [{ shard: 0, units: 1 }])
    expect(confirmedShort(first, { ...first, bank: lending })).toBeUndefined()
    expect(confirmedShort(first, { ...first, bank: startRecovery(first.bank, 1) })).toBeUndefined()
  })

  it('is not confirmed while a basket still finds enough in the pool', () => {
    expect(confirmedShort(first, { ...first, bank: bankWith(50, 47) })).toBe(3)
    const oversold = { bank: bankWith(50, 47), readings: [unsold(0), unsold(-2)] }
    expect(confirmedShort(oversold, oversold)).toBe(1)
  })
})
