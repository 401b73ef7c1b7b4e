/** The live numbers of a split stock, with a real Redis, while its shards are working, lost or down. */

import { describe, expect, it } from 'vitest'
import type { Live } from '../../../core/api/control-answers.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readLive } from '../../../functions/control/live.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { raw } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { withSale, withTotals } from '../../world/wire.ts'
import { type SplitRig, splitRig } from '../sales/split-rig.ts'

const redis = useRedis()

const empty = { visible: 0, inFlight: 0, delayed: 0 }

/** Returns the answer of the API; `sold` units are in the table. */
async function liveOf({ ports, sale }: SplitRig, sold: number, change: Partial<Sale> = {}): Promise<Live> {
  const live = await readLive(
    {
      ...ports,
      gate: redis,
      table: withTotals(
        withSale(ports.table, () => ({ ...sale, ...change })),
        { sold, orders: sold, remaining: sale.stock - sold },
      ),
      orderQueue: { sendAll: async () => [], depth: async () => empty },
      allDeadLetters: async () => 0,
    },
    sale.saleId,
  )
  if (live === undefined) throw new Error('there is no such sale')
  return live
}

const statesOf = ({ split }: Live) => split?.shards.map(({ state }) => state)

async function threeShards(stock: number): Promise<SplitRig> {
  return splitRig(redis, 3, { stock, limitPerShopper: 1, maxPerOrder: 1 })
}

describe('the live numbers of a split stock', () => {
  it('have every unit: in the pool, or in a shard as booked or left (S14)', async () => {
    const rig = await threeShards(90)
    for (const [shard = 0, nth = 0] of [
      [0, 0],
      [0, 1],
      [1, 0],
    ])
      await rig.buyAt(shard, nth)
    const { split, stock } = await liveOf(rig, 3)
    expect(split?.shards.map(({ database, booked }) => [database, booked])).toEqual([
      ['db-1', 2],
      ['db-2', 1],
      ['db-3', 0],
    ])
    for (const { granted, booked, left } of split?.shards ?? []) expect(granted).toBe((booked ?? 0) + (left ?? 0))
    const units = split?.shards.reduce((sum, { booked, left }) => sum + (booked ?? 0) + (left ?? 0), 0)
    expect((units ?? 0) + (split?.pool ?? 0)).toBe(90)
    expect(stock).toMatchObject({ total: 90, booked: 3, available: 87 })
  })

  it('say which shard is frozen, lost or does not answer, with nothing invented of the last two (P10)', async () => {
    const rig = await threeShards(90)
    const [first] = await shardsOf(rig.stock, rig.sale.saleId)
    if (first === undefined) throw new Error('the stock has no shard')
    await freeze(first, rig.sale.saleId)
    await rig.lose(1)
    rig.down.add(2)
    const live = await liveOf(rig, 0)
    expect(statesOf(live)).toEqual(['frozen', 'missing', 'unreachable'])
    expect(live.split?.shards.slice(1)).toEqual([
      expect.objectContaining({ granted: expect.any(Number), booked: null, left: null }),
      expect.objectContaining({ granted: expect.any(Number), booked: null, left: null }),
    ])
    expect(live.unavailable).toEqual([])
  })

  it('compare no numbers while a shard is lost: its orders would pass for orders without units', async () => {
    const rig = await threeShards(90)
    await rig.buyAt(1, 0)
    await raw(redis, 'DEL', stockKeys(rig.sale.saleId, 1).outbox)
    expect((await liveOf(rig, 1)).drift).toBe(0)
    await rig.lose(1)
    expect((await liveOf(rig, 1)).drift).toBeNull()
  })

  it('do not take a sale for sold out while a shard that has units cannot be read (S15)', async () => {
    const rig = await threeShards(3)
    await rig.settle()
    for (const shard of [0, 1]) await rig.buyAt(shard, 0)
    expect(await rig.left()).toEqual([0, 0, 1])
    rig.down.add(2)
    const live = await liveOf(rig, 2)
    expect(live.split?.pool).toBe(0)
    expect(live.stock?.available).toBe(0)
    expect(live.phase).toBe('open')
  })

  it('show no shards of an archived sale, whose keys are gone', async () => {
    const rig = await threeShards(9)
    for (const shard of [0, 1, 2]) await rig.lose(shard)
    expect(statesOf(await liveOf(rig, 0))).toEqual(['missing', 'missing', 'missing'])
    expect((await liveOf(rig, 0, { archivedAt: 1 })).split).toBeNull()
  })
})
