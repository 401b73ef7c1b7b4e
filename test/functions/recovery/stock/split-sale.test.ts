/** A sale over three databases, from its creation through the tick, changes, losses and repairs. */

import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import { allUnits, variantsSoldOut } from '../../../../core/sale/variants.ts'
import { dividedUnits, plusParts } from '../../../../core/stock/divided-units.ts'
import { unitsOfSale } from '../../../../core/stock/escrow.ts'
import { deliveryMs, emptyQueueMs } from '../../../../functions/recovery/stock/held-back.ts'
import { reconcile } from '../../../../functions/repair/reconcile.ts'
import { saleTotals } from '../../../../functions/table/sale/sale-orders.ts'
import { saveEscrow } from '../../../../functions/table/stock/escrows.ts'
import { tick } from '../../../../functions/tick/tick.ts'
import { stockKeys } from '../../../../redis/keys.ts'
import { readShards } from '../../../../redis/stock/stock.ts'
import { raw } from '../../../redis/support.ts'
import { phone } from '../../../world/stock-record.ts'
import { useWorld, world } from '../../../world/world.ts'
import { shoppersOf as shoppersOfShard, storedEscrow } from '../../sales/split-rig.ts'

const shards = 3

const rig = useWorld({ databases: shards })

const open = async (changes: object = {}) => {
  await rig.open({ shards, stock: 60, ...changes })
  await tickFor(1_000)
}
const tickFor = (ms: number) => tick(rig.ports, rig.clock.now + ms)
const reconcileNow = (full = false) =>
  reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: deliveryMs, full }, rig.clock.now + 25_000)
const escrow = () => storedEscrow(rig.ports, phone)
const factsOf = async (shard: number) => {
  const facts = (await readShards(rig.ports.stock, phone))[shard]
  if (facts instanceof Error) throw facts
  return facts
}
const lose = (shard: number) => raw(rig.redis, 'DEL', ...Object.values(stockKeys(phone, shard)))
const keepShard = async (shard: number) => {
  const { stock } = stockKeys(phone, shard)
  await raw(rig.redis, 'COPY', stock, `copy:${stock}`, 'REPLACE')
  return () => raw(rig.redis, 'COPY', `copy:${stock}`, stock, 'REPLACE')
}
const shoppersOf = (shard: number, count: number, from?: number) => shoppersOfShard(shard, shards, count, from)
/** Buys for each shopper, with as much patience as a page has; all orders are written. */
const buyAll = async (shoppers: readonly number[], variant?: string): Promise<OrderId[]> => {
  const orderIds: OrderId[] = []
  for (const shopper of shoppers) {
    const again = () => tickFor(1_000).then(() => rig.buy(shopper, { variant }))
    orderIds.push(await rig.buy(shopper, { variant }).catch(again))
  }
  await rig.deliver()
  return orderIds
}

describe('a sale with three shards', () => {
  it('is refused where there are fewer databases, and names the field (S14)', async () => {
    const small = await world({ redis: rig.redis, databases: 2 })
    expect(await small.create({ shards: 3 })).toMatchObject({
      status: 400,
      body: { field: 'shards', detail: 'shards must be at most 2: this shop has 2 databases for stock' },
    })
    await small.create({ shards: 2 })
    expect(await small.ask('PATCH', '/sales/phone', { shards: 3 })).toMatchObject({
      status: 400,
      body: { field: 'shards' },
    })
  })

  it('gets a database for each, and keeps them (S16)', async () => {
    await open()
    const sale = await rig.sale()
    expect(sale?.databases.toSorted()).toEqual(['db-2', 'db-3', 'main'])
    expect((await rig.facts())?.databases).toEqual(sale?.databases)
    const late = await world({ redis: rig.redis, databases: shards })
    await late.create({ shards })
    await late.act('warm')
    expect(await late.ask('PATCH', '/sales/phone', { shards: 2 })).toMatchObject({
      status: 409,
      body: { field: 'shards' },
    })
  })

  it('sells all units to shoppers of one shard, and only then is sold out, everywhere (S15, G4)', async () => {
    await open({ stock: 12, limitPerShopper: 1, maxPerOrder: 1 })
    const [last = 0, ...others] = shoppersOf(2, 12).toReversed()
    await buyAll(others)
    await tickFor(1_000)
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    await buyAll([last])
    await tickFor(1_000)
    expect(await rig.facts()).toMatchObject({ soldOut: true })
    expect(rig.pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
    expect(await rig.truth()).toMatchObject({ total: 12, booked: 12, remaining: 0 })
  })

  it('is open again when an order is cancelled, at the gate and for its shoppers (G7)', async () => {
    await open({ stock: 6, limitPerShopper: 1, maxPerOrder: 1 })
    const [first] = (await buyAll(shoppersOf(0, 6))) as [OrderId]
    await tickFor(1_000)
    await rig.cancel(first)
    await tickFor(1_000)
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect((await rig.truth())?.remaining).toBeGreaterThan(0)
    // By a shopper of another shard.
    await buyAll(shoppersOf(1, 1))
    await tickFor(1_000)
    expect(await rig.facts()).toMatchObject({ soldOut: true })
  })

  it('turns to its next window with the units of that window (R7)', async () => {
    const { now } = rig.clock
    const windows = [
      { startsAt: now, endsAt: now + 20_000, stock: 10 },
      { startsAt: now + 40_000, endsAt: now + 3_600_000, stock: 5 },
    ]
    await rig.openWindows(windows, { shards })
    await tickFor(1_000)
    await buyAll(shoppersOf(0, 4))
    rig.clock.now = now + 41_000
    await tickFor(2_000)
    expect(unitsOfSale(await escrow())).toEqual(dividedUnits({ delta: 15 }))
    await buyAll(shoppersOf(2, 11))
    await tickFor(1_000)
    expect(await rig.facts()).toMatchObject({ soldOut: true })
  })

  it('is removed from every shard when it is deleted', async () => {
    await rig.create({ shards })
    await rig.act('warm')
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
    expect(await raw(rig.redis, 'KEYS', 'stock:*')).toEqual([])
  })
})

describe('a sale with variants and three shards', () => {
  const variants = [
    { id: 's', name: 'Small', stock: 6 },
    { id: 'm', name: 'Medium', stock: 24 },
  ]
  const gone = async () => {
    const facts = await rig.facts()
    return facts && variantsSoldOut(facts)
  }

  it('shows at the gate and on the page which are sold out, until units come back (N1, S15, G7)', async () => {
    await open({ variants, stock: 30, limitPerShopper: 2 })
    const [first] = (await buyAll(shoppersOf(2, 6), 's')) as [OrderId]
    await tickFor(1_000)
    expect(await gone()).toEqual(['s'])
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 24, variants: { s: 0, m: 24 } })
    expect((await rig.live()).variants).toMatchObject({ s: { total: 6, left: 0 }, m: { total: 24, left: 24 } })
    await rig.cancel(first)
    await tickFor(1_000)
    expect(await gone()).toEqual([])
    await buyAll(shoppersOf(0, 1), 's')
    await tickFor(1_000)
    expect(await gone()).toEqual(['s'])
    expect((await reconcileNow(true)).recovered).toBe(0)
  })

  it('gets a lost shard back with what is booked of each, and holds the rest back (P10, I2, I4)', async () => {
    await open({ variants, stock: 30, limitPerShopper: 2 })
    const [some, others] = [shoppersOf(1, 6).slice(0, 3), shoppersOf(1, 6).slice(3)]
    const kept = [...(await buyAll(some, 's')), ...(await buyAll(others, 'm'))]
    await lose(1)
    expect(await reconcileNow()).toMatchObject({ recovered: 1 })
    const rebuilt = await factsOf(1)
    for (const [id, counters] of Object.entries(rebuilt?.variants ?? {})) {
      expect([id, counters.total - counters.heldBack, counters.left]).toEqual([id, 3, 0])
    }
    expect(await rig.held()).toEqual(kept.toSorted())
    expect(unitsOfSale(await escrow())).toEqual({ s: 6, m: 24 })
    rig.clock.now += emptyQueueMs + 1
    await reconcileNow()
    rig.clock.now += emptyQueueMs + 1
    await reconcileNow()
    await buyAll(shoppersOf(0, 3), 's')
    await tickFor(1_000)
    expect(await gone()).toEqual(['s'])
  })

  it('gains and loses units of one variant (I5)', async () => {
    await open({ variants, stock: 30, limitPerShopper: 2 })
    const change = (delta: number, key: string) =>
      rig.ask('POST', '/sales/phone/stock', { delta, variant: 's' }, { 'idempotency-key': key })
    await buyAll(shoppersOf(1, 2), 's')
    expect(await change(4, 'more')).toMatchObject({ status: 200, body: { total: 34 } })
    expect(await change(-9, 'too-many')).toMatchObject({ status: 409 })
    expect(await change(-8, 'all-others')).toMatchObject({ status: 200, body: { total: 26 } })
    await tickFor(1_000)
    expect(await gone()).toEqual(['s'])
    expect(unitsOfSale(await escrow())).toEqual({ s: 2, m: 24 })
    expect((await reconcileNow(true)).recovered).toBe(0)
  })
})

describe('a shard that Redis lost', () => {
  it('is rebuilt alone, and the others sell on (P10, I1, I4)', async () => {
    await open()
    const kept = await buyAll([...shoppersOf(0, 2), ...shoppersOf(1, 3)])
    const before = await factsOf(0)
    await lose(1)
    await tickFor(1_000)
    await buyAll(shoppersOf(0, 1, 500))
    const epoch = (await rig.sale()).epoch
    expect(await reconcileNow()).toMatchObject({ recovered: 1 })
    expect(await factsOf(1)).toMatchObject({ frozen: false, heldBack: expect.any(Number) })
    expect(await rig.held()).toEqual(expect.arrayContaining(kept))
    expect((await factsOf(0))?.booked).toBe((before?.booked ?? 0) + 1)
    expect((await rig.sale()).epoch, 'the pages of the others stay good').toBe(epoch)
    expect((await escrow()).shards[1]?.recovery).toBeUndefined()
    expect(await rig.facts()).toMatchObject({ frozen: false, soldOut: false })
  })

  it('holds its unsold units back until no message can be on its way, and then sells them (I2)', async () => {
    await open({ stock: 30, limitPerShopper: 1, maxPerOrder: 1 })
    await buyAll(shoppersOf(1, 2))
    // Reserved, and its message not sent yet.
    const late = await rig.reserve(shoppersOf(1, 1, 300)[0] ?? 0)
    const message = (await rig.waiting()).find(({ orderId }) => orderId === late)
    await lose(1)
    await reconcileNow()
    expect((await factsOf(1))?.heldBack).toBeGreaterThan(0)
    if (message === undefined) throw new Error('the message did not wait')
    await rig.queue.sendAll([message])
    await rig.deliver()
    await reconcileNow(true)
    rig.clock.now += emptyQueueMs + 1
    await reconcileNow()
    expect((await factsOf(1))?.heldBack).toBe(0)
    expect((await rig.stockRecord())?.holds.has(late)).toBe(true)
    await buyAll(shoppersOf(0, 27))
    await tickFor(1_000)
    expect(await rig.facts()).toMatchObject({ soldOut: true })
    expect(await saleTotals(rig.table.table, phone)).toMatchObject({ sold: 30, remaining: 0 })
  })

  it('is rebuilt when it went back to an older state (P10)', async () => {
    await open()
    const back = await keepShard(2)
    await buyAll(shoppersOf(2, 5))
    const sold = await rig.stockRecord()
    await back()
    await reconcileNow(true)
    rig.clock.now += emptyQueueMs + 1
    await reconcileNow(true)
    const now = await rig.stockRecord()
    expect(now?.holds).toEqual(sold?.holds)
    expect(now?.booked).toBe(5)
  })

  it('ends a transfer under way, which has no effect any more when it arrives late (I5)', async () => {
    await open({ stock: 300 })
    const there = await escrow()
    const ten = dividedUnits({ delta: 10 })
    const granted = plusParts(there.shards[1]?.granted ?? {}, ten)
    const number = there.revision + 1
    await saveEscrow(rig.ports.table, phone, there.revision, {
      ...there,
      ...{ revision: number, pool: plusParts(there.pool, ten, -1) },
      shards: there.shards.with(1, { granted, generation: 0, transfer: { number, delta: ten } }),
    })
    await lose(1)
    await reconcileNow()
    const rebuilt = await escrow()
    expect(unitsOfSale(rebuilt)).toEqual(dividedUnits({ delta: 300 }))
    expect(rebuilt.shards[1]).toMatchObject({ granted })
    expect(rebuilt.shards[1]?.transfer).toBeUndefined()
    expect((await factsOf(1))?.total).toBe(allUnits(granted))
    expect((await factsOf(1))?.change).toBeGreaterThan(number)
  })

  it('may be all of them', async () => {
    await open()
    const orders = await buyAll([...shoppersOf(0, 2), ...shoppersOf(1, 2), ...shoppersOf(2, 2)])
    await rig.loseStock()
    await reconcileNow()
    expect(await rig.held()).toEqual(orders.toSorted())
    expect(unitsOfSale(await escrow())).toEqual(dividedUnits({ delta: 60 }))
    await reconcileNow()
    rig.clock.now += emptyQueueMs + 1
    await reconcileNow()
    expect((await rig.stockRecord())?.heldBack).toBe(0)
    expect(await rig.live()).toMatchObject({ stock: { booked: 6, available: 54 }, drift: 0, inStep: true })
  })
})
