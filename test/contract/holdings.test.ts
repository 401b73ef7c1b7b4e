/** One suite for whoever keeps what orders hold. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { Holdings } from '../../functions/repair/ports.ts'
import { gatherCommands } from '../../functions/stores/gathered.redis.ts'
import { redisHoldings } from '../../functions/stores/holdings.redis.ts'
import type { HeldOrder } from '../../redis/holds.ts'
import { reserve } from '../../redis/reserve.ts'
import { removeStock } from '../../redis/stock.ts'
import { warm } from '../../redis/warm.ts'
import {
  aPurchase,
  aSale,
  nothingHeldBack,
  orderIdOf,
  type RedisRig,
  shopperIdOf,
  startRedisRig,
} from '../redis/support.ts'
import { memoryHoldings } from './fakes/holdings.ts'
import type { Reserver } from './fakes/stock.ts'

type Rig = {
  holdings: Holdings
  stock: Pick<Reserver, 'take'>
  put: (sale: Sale) => Promise<void>
  /** All that is known of a sale is gone. */
  lose: (sale: Sale) => Promise<void>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const holdings = memoryHoldings()
  const { stock } = holdings
  return {
    holdings,
    stock,
    put: async (sale) => stock.put(sale),
    lose: async ({ saleId }) => void stock.shelves.delete(saleId),
    stop: async () => {},
  }
}

async function inRedis(): Promise<Rig> {
  const rig: RedisRig = await startRedisRig()
  const gathered = gatherCommands(rig.redis)
  return {
    holdings: redisHoldings(rig.redis),
    stock: { take: (purchase) => reserve(gathered, purchase) },
    put: async (sale) => void (await warm(rig.redis, sale)),
    lose: ({ saleId }) => removeStock(rig.redis, saleId),
    stop: rig.stop,
  }
}

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('the holdings in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  /** One unit for each of `shoppers`; resolves with the holds that follow. */
  async function sold(sale: Sale, shoppers: number): Promise<HeldOrder[]> {
    await rig.put(sale)
    const purchases = Array.from({ length: shoppers }, (_, shopper) => aPurchase(sale, shopper))
    await Promise.all(purchases.map((purchase) => rig.stock.take(purchase)))
    return purchases.map(({ orderId, shopperId }) => ({ orderId, shopperId, quantity: 1, reservedAt: 5_000 }))
  }

  async function heldIn(sale: Sale): Promise<Map<OrderId, HeldOrder>> {
    const found = new Map<OrderId, HeldOrder>()
    for await (const page of rig.holdings.pages(sale.saleId)) {
      for (const hold of page) found.set(hold.orderId, hold)
    }
    return found
  }

  const ids = (holds: readonly HeldOrder[]) => holds.map(({ orderId }) => orderId)

  it('are walked through and counted, however many there are (I4)', async () => {
    const sale = aSale({ stock: 1000 })
    const holds = await sold(sale, 750)
    const found = await heldIn(sale)
    expect(found).toEqual(new Map(holds.map((hold) => [hold.orderId, hold])))
    expect(await rig.holdings.count(sale.saleId)).toBe(750)
  })

  it('are given back once, however many orders are named (O9, I5)', async () => {
    const sale = aSale({ stock: 500 })
    const holds = await sold(sale, 500)
    const back = holds.slice(0, 450)
    expect(await rig.holdings.release(sale.saleId, back)).toEqual({
      kind: 'released',
      orders: 450,
      stockRevision: 1,
    })
    expect(await rig.holdings.release(sale.saleId, back)).toEqual({
      kind: 'released',
      orders: 0,
      stockRevision: 1,
    })
    expect([...(await heldIn(sale)).keys()].toSorted()).toEqual(ids(holds.slice(450)).toSorted())
    expect(await rig.stock.take(aPurchase(sale, 900))).toMatchObject({ kind: 'reserved', remaining: 449 })
  })

  it('are told for no order at all as they are', async () => {
    const sale = aSale({ stock: 1 })
    await sold(sale, 1)
    const none = { kind: 'released', orders: 0, stockRevision: 0 }
    expect(await rig.holdings.release(sale.saleId, [])).toEqual(none)
    expect(await rig.holdings.restore(sale.saleId, [])).toMatchObject({ kind: 'restored', orders: 0 })
  })

  it('are put back after a loss, in any number, and sold again only up to the rest (P10, I1)', async () => {
    const sale = aSale({ stock: 420 })
    const holds = await sold(sale, 410)
    await rig.lose(sale)
    expect(await rig.holdings.release(sale.saleId, holds)).toEqual({ kind: 'unknown-sale' })
    expect(await rig.holdings.restore(sale.saleId, holds)).toEqual({ kind: 'unknown-sale' })
    expect(await rig.holdings.unfreeze(sale, 0, nothingHeldBack)).toEqual({ kind: 'unknown-sale' })

    await rig.holdings.freeze(sale.saleId)
    expect(await rig.holdings.restore(sale.saleId, holds)).toMatchObject({ kind: 'restored', orders: 410 })
    expect(await rig.holdings.restore(sale.saleId, holds)).toMatchObject({ kind: 'restored', orders: 0 })
    expect(await rig.stock.take(aPurchase(sale, 900))).toEqual({ kind: 'unavailable' })
    const counters = { total: 420, booked: 410, stockRevision: 4 }
    expect(await rig.holdings.unfreeze(sale, 3, nothingHeldBack)).toEqual({ kind: 'unfrozen', ...counters })
    expect(await rig.holdings.unfreeze(sale, 9, nothingHeldBack)).toEqual({ kind: 'open', ...counters })
    expect(await heldIn(sale)).toEqual(new Map(holds.map((hold) => [hold.orderId, hold])))
    expect(await rig.stock.take(aPurchase(sale, 1))).toMatchObject({ kind: 'repeat', quantity: 1 })
    expect(await rig.stock.take(aPurchase(sale, 900))).toMatchObject({ kind: 'reserved', remaining: 9 })
  })

  it('stay frozen for a version older than the one that is known (I6)', async () => {
    const sale = aSale({ version: 4 })
    await sold(sale, 1)
    await rig.holdings.freeze(sale.saleId)
    expect(await rig.holdings.unfreeze({ ...sale, version: 3 }, 0, nothingHeldBack)).toMatchObject({
      kind: 'superseded',
    })
    expect(await rig.stock.take(aPurchase(sale, 5))).toEqual({ kind: 'unavailable' })
    expect(await rig.holdings.unfreeze(sale, 0, nothingHeldBack)).toMatchObject({
      kind: 'unfrozen',
      booked: 1,
    })
    expect(await rig.stock.take(aPurchase(sale, 5))).toMatchObject({ kind: 'reserved' })
  })

  it('are never brought back once given back, and kept by others when somebody else’s are (I1, S19)', async () => {
    const sale = aSale({ stock: 3 })
    const [first, second] = await sold(sale, 3)
    if (first === undefined || second === undefined) throw new Error('there are three holds')
    const stranger = { orderId: orderIdOf(sale.saleId, 77, 1), shopperId: shopperIdOf(77) }
    expect(await rig.holdings.release(sale.saleId, [first, stranger])).toMatchObject({ orders: 1 })
    expect(await rig.holdings.restore(sale.saleId, [first, second])).toMatchObject({ orders: 0 })
    expect(await rig.holdings.count(sale.saleId)).toBe(2)
    const final = { ...second, quantity: 0 }
    expect(await rig.holdings.restore(sale.saleId, [final])).toMatchObject({ orders: 1 })
    expect(await rig.holdings.restore(sale.saleId, [final, second])).toMatchObject({ orders: 0 })
    expect(await rig.holdings.count(sale.saleId)).toBe(1)
  })

  it('remember an order without units for which nobody knew a hold (I5)', async () => {
    const sale = aSale()
    await rig.put(sale)
    const purchase = aPurchase(sale, 1)
    const { orderId } = purchase
    const final = { orderId, shopperId: shopperIdOf(1), quantity: 0, reservedAt: 5_000 }
    expect(await rig.holdings.restore(sale.saleId, [final])).toMatchObject({ orders: 1 })
    expect(await rig.stock.take(purchase)).toMatchObject({ kind: 'repeat', quantity: 0 })
  })

  it('are booked as they were counted, while the sale is frozen and none of them moves (I4)', async () => {
    const sale = aSale()
    const [first] = await sold(sale, 3)
    if (first === undefined) throw new Error('there are three holds')
    const count = { units: 3, holds: 3, booked: 3 }
    expect(await rig.holdings.recount(sale.saleId, count)).toEqual({ kind: 'open' })
    await rig.holdings.freeze(sale.saleId)
    expect(await rig.holdings.recount(sale.saleId, count)).toEqual({ kind: 'recounted' })
    await rig.holdings.release(sale.saleId, [first])
    expect(await rig.holdings.recount(sale.saleId, count)).toEqual({ kind: 'moved' })
    expect(await rig.holdings.unfreeze(sale, 0, nothingHeldBack)).toMatchObject({
      kind: 'unfrozen',
      booked: 2,
    })
    await rig.lose(sale)
    expect(await rig.holdings.recount(sale.saleId, count)).toEqual({ kind: 'unknown-sale' })
  })

  it('are not taken again for an order that was given back when nobody knew its hold (I5)', async () => {
    const sale = aSale()
    await rig.put(sale)
    const purchase = aPurchase(sale, 1)
    expect(await rig.holdings.release(sale.saleId, [purchase])).toMatchObject({ orders: 0 })
    expect(await rig.stock.take(purchase)).toMatchObject({ kind: 'repeat', quantity: 0 })
    expect(await rig.stock.take(aPurchase(sale, 1, 2))).toMatchObject({ kind: 'reserved', remaining: 9 })
  })

  describe('of a sale that was unfrozen with units held back', () => {
    const since = 6_000
    /** Three of ten units are held back; the holds were lost. */
    async function unfrozen(stock = 10): Promise<{ sale: Sale; lost: HeldOrder[] }> {
      const sale = aSale({ stock })
      const lost = await sold(sale, 3)
      await rig.lose(sale)
      await rig.holdings.freeze(sale.saleId)
      const heldBack = { units: 3, since }
      expect(await rig.holdings.unfreeze(sale, 0, heldBack)).toMatchObject({ kind: 'unfrozen', booked: 3 })
      return { sale, lost }
    }
    const take = async (sale: Sale, shopper: number) =>
      rig.stock.take({ ...aPurchase(sale, shopper), now: 7_000 })
    const releaseHeldBack = (sale: Sale, keep: number, from = since) =>
      rig.holdings.releaseHeldBack(sale.saleId, { since: from, keep, quietSince: undefined })

    it('are not sold, and neither are more of them than there are units (I2)', async () => {
      const { sale } = await unfrozen()
      expect(await take(sale, 9)).toMatchObject({ kind: 'reserved', remaining: 6 })
      const { sale: small } = await unfrozen(3)
      expect(await take(small, 9)).toMatchObject({ kind: 'sold-out' })
    })

    it('take their units out of those when they arrive, each once (I2, I4, I5)', async () => {
      const { sale, lost } = await unfrozen()
      for (let time = 0; time < 2; time += 1) {
        const restored = await rig.holdings.restore(sale.saleId, lost.slice(0, 2))
        expect(restored).toMatchObject({ kind: 'restored', booked: 3 })
      }
      expect(await releaseHeldBack(sale, 0)).toMatchObject({ kind: 'released', units: 1 })
      expect(await take(sale, 9)).toMatchObject({ remaining: 7 })
    })

    it('take nothing out of them for an order from after the reopening (I2)', async () => {
      const { sale, lost } = await unfrozen()
      const [first] = lost
      if (first === undefined) throw new Error('there are three holds')
      const later = { ...first, reservedAt: since }
      expect(await rig.holdings.restore(sale.saleId, [later])).toMatchObject({ booked: 4 })
    })

    it('are for sale once they are let go, which is a restock where nothing was left (G7)', async () => {
      const { sale } = await unfrozen(3)
      expect(await releaseHeldBack(sale, 5)).toEqual({ kind: 'released', units: 0, stockRevision: 1 })
      expect(await releaseHeldBack(sale, 0, since - 1)).toEqual({ kind: 'superseded' })
      expect(await releaseHeldBack(sale, 1)).toEqual({ kind: 'released', units: 2, stockRevision: 2 })
      expect(await releaseHeldBack(sale, 1)).toEqual({ kind: 'released', units: 0, stockRevision: 2 })
      expect(await releaseHeldBack(sale, 0)).toEqual({ kind: 'released', units: 1, stockRevision: 2 })
      expect(await take(sale, 9)).toMatchObject({ kind: 'reserved', remaining: 2 })
    })

    it('are held back no more once the sale is frozen again and counted anew (I4)', async () => {
      const { sale, lost } = await unfrozen()
      await rig.holdings.restore(sale.saleId, lost.slice(0, 1))
      await rig.holdings.freeze(sale.saleId)
      await rig.holdings.recount(sale.saleId, { units: 1, holds: 1, booked: 3 })
      const heldBack = { units: 1, since: since + 1 }
      expect(await rig.holdings.unfreeze(sale, 0, heldBack)).toMatchObject({ booked: 2 })
    })
  })

  it('of a sale nobody knows are none', async () => {
    const sale = aSale()
    expect(await heldIn(sale)).toEqual(new Map())
    expect(await rig.holdings.count(sale.saleId)).toBe(0)
  })
})
