/** One suite for every outbox that messages are sent again from. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import { orderMessage } from '../../core/order-message.ts'
import { readJson } from '../../core/parse.ts'
import type { Sale } from '../../core/sale.ts'
import type { Outbox } from '../../functions/repair/ports.ts'
import { gatherCommands } from '../../functions/stores/gathered.redis.ts'
import { redisOutbox } from '../../functions/stores/outbox.redis.ts'
import { reserve } from '../../redis/reserve.ts'
import { warm } from '../../redis/warm.ts'
import { aPurchase, aSale, type RedisRig, startRedisRig } from '../redis/support.ts'
import { memoryOutbox } from './fakes/outbox.ts'
import type { Reserver } from './fakes/stock.ts'

type Rig = {
  outbox: Outbox
  stock: Pick<Reserver, 'take'>
  put: (sale: Sale) => Promise<void>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const outbox = memoryOutbox()
  const { stock } = outbox
  return { outbox, stock, put: async (sale) => stock.put(sale), stop: async () => {} }
}

async function inRedis(): Promise<Rig> {
  const rig: RedisRig = await startRedisRig()
  const gathered = gatherCommands(rig.redis)
  return {
    outbox: redisOutbox(rig.redis),
    stock: { take: (purchase) => reserve(gathered, purchase) },
    put: async (sale) => void (await warm(rig.redis, sale)),
    stop: rig.stop,
  }
}

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('the outbox in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  async function sold(shoppers: number): Promise<{ sale: Sale; orderIds: OrderId[] }> {
    const sale = aSale({ stock: shoppers })
    await rig.put(sale)
    const purchases = Array.from({ length: shoppers }, (_, shopper) => aPurchase(sale, shopper))
    await Promise.all(purchases.map((purchase) => rig.stock.take(purchase)))
    return { sale, orderIds: purchases.map(({ orderId }) => orderId) }
  }

  async function walk({ saleId }: Sale): Promise<Map<OrderId, string>> {
    const found = new Map<OrderId, string>()
    for await (const page of rig.outbox.pages(saleId)) {
      for (const { orderId, body } of page) found.set(orderId, body)
    }
    return found
  }

  it('shows every message that waits, and forgets what is acknowledged (O4, O5)', async () => {
    const { sale, orderIds } = await sold(250)
    const found = await walk(sale)
    expect([...found.keys()].toSorted()).toEqual(orderIds.toSorted())
    for (const [orderId, body] of found) {
      const read = readJson(orderMessage, body)
      expect(read.ok && read.value.orderId).toBe(orderId)
    }
    await rig.outbox.acknowledge(sale.saleId, orderIds.slice(1))
    expect([...(await walk(sale)).keys()]).toEqual(orderIds.slice(0, 1))
    expect(await rig.outbox.size(sale.saleId)).toBe(1)
  })

  it('gives each message to one of two who would send it again, however many there are (O5)', async () => {
    const { sale, orderIds } = await sold(450)
    const claim = () => rig.outbox.claimDue(sale.saleId, orderIds, 1_000_000, 10_000)
    const [one, other] = await Promise.all([claim(), claim()])
    expect(one.size + other.size).toBe(450)
    expect([...one.keys(), ...other.keys()].toSorted()).toEqual(orderIds.toSorted())
  })

  it('counts the sendings of a message, changes nothing in it and lets it rest between two (O7)', async () => {
    const { sale, orderIds } = await sold(1)
    const before = await walk(sale)
    const claim = (now: number) => rig.outbox.claimDue(sale.saleId, orderIds, now, 10_000)
    const [orderId] = orderIds
    expect(await claim(1_000_000)).toEqual(new Map([[orderId, 1]]))
    expect(await claim(1_009_999)).toEqual(new Map())
    expect(await claim(1_010_000)).toEqual(new Map([[orderId, 2]]))
    expect(await walk(sale)).toEqual(before)
  })

  it('claims nothing that is gone, and nothing of a sale nobody knows', async () => {
    const { sale, orderIds } = await sold(2)
    await rig.outbox.acknowledge(sale.saleId, orderIds.slice(0, 1))
    const claimed = await rig.outbox.claimDue(sale.saleId, orderIds, 1_000_000, 0)
    expect([...claimed.keys()]).toEqual(orderIds.slice(1))
    const { saleId } = aSale()
    expect(await rig.outbox.claimDue(saleId, orderIds, 1_000_000, 0)).toEqual(new Map())
    expect(await rig.outbox.claimDue(sale.saleId, [], 1_000_000, 0)).toEqual(new Map())
    expect(await rig.outbox.size(saleId)).toBe(0)
  })
})
