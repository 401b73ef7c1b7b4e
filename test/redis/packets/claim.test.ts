/** A claim is an order of one unit with a red packet: both are taken, returned and restored together. */
import { describe, expect, it } from 'vitest'
import { type Reservation, reserve } from '../../../redis/buy/reserve.ts'
import { UnexpectedReply } from '../../../redis/errors.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { release } from '../../../redis/orders/release.ts'
import { type ExpectedOrder, restore } from '../../../redis/orders/restore.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { readHold, readStock } from '../../../redis/stock/stock.ts'
import { aPurchase, aWarmSale, commandCounts, raw, shopperIdOf, tokenOf, useRedisRig, waitingIn } from '../support.ts'
import { aClaim, aRain, aWarmRain, claimAll, claimIdOf, packetsOf, waitingPackets } from './rain.ts'

const { redis } = useRedisRig()

const packetOf = (reservation: Reservation) =>
  reservation.kind === 'reserved' ? reservation.message.packet : undefined

describe('a claim', () => {
  it('takes a unit and the next packet, and its message, which waits to be sent, says which (P2, P4)', async () => {
    const sale = await aWarmRain(redis, [1221, 5, 700])
    const { saleId } = sale
    const packet = { number: 0, amount: 1221, currency: 'CNY' }
    const message = {
      ...{ orderId: claimIdOf(sale, 1), saleId, shopperId: shopperIdOf(1), quantity: 1 },
      ...{ reservedAt: 5_000, requestId: 'request-1', packet },
    }
    const counts = { booked: 1, remaining: 2, stockRevision: 0 }
    expect(await reserve(redis, aClaim(sale, 1))).toEqual({ kind: 'reserved', quantity: 1, message, ...counts })
    expect((await waitingIn(redis, saleId)).map(({ body }) => JSON.parse(body))).toEqual([message])
    expect(await readHold(redis, claimIdOf(sale, 1), shopperIdOf(1))).toMatchObject({ quantity: 1, packet })
    expect(await readStock(redis, saleId)).toMatchObject({
      ...{ total: 3, booked: 1, available: 2 },
      packets: { loaded: 3, waiting: 2 },
    })
  })

  it('of a shopper with a packet finds that one, with another token, in a freeze and after the end (P3, I5)', async () => {
    const sale = await aWarmRain(redis, [10, 20])
    await reserve(redis, aClaim(sale, 1))
    const same = { kind: 'repeat', quantity: 1, packet: { number: 0, amount: 10, currency: 'CNY' } }
    const later = aClaim(sale, 1, { now: 99_000, startToken: tokenOf(7), requestId: 'later' })
    expect(await reserve(redis, later)).toMatchObject(same)
    await freeze(redis, sale.saleId)
    expect(await reserve(redis, aClaim(sale, 1))).toMatchObject(same)
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 1, packets: { waiting: 1 } })
  })

  it('has separate answers for claimed, claimed before and none left, on the keys of its sale alone (P5, P6)', async () => {
    const sale = await aWarmRain(redis, [10])
    const before = new Set([await raw(redis, 'KEYS', '*')].flat())
    const kinds = [1, 1, 2].map(async (shopper) => (await reserve(redis, aClaim(sale, shopper))).kind)
    expect(await Promise.all(kinds)).toEqual(['reserved', 'repeat', 'sold-out'])
    const added = [await raw(redis, 'KEYS', '*')].flat().filter((key) => !before.has(key))
    expect(added).toEqual([stockKeys(sale.saleId).outbox])
  })

  it('takes no goods, and a purchase takes no packet', async () => {
    const [goods, sale] = [await aWarmSale(redis), await aWarmRain(redis, [10, 20])]
    expect(await reserve(redis, aClaim(goods, 1))).toEqual({ kind: 'stale-page' })
    expect(await reserve(redis, aPurchase(sale, 1))).toEqual({ kind: 'stale-page' })
  })

  it('takes nothing of a sale that is lost, frozen, or has lost its packets (I6, P10)', async () => {
    expect(await reserve(redis, aClaim(aRain([10]), 1))).toEqual({ kind: 'unknown-sale' })
    const sale = await aWarmRain(redis, [10, 20])
    await reserve(redis, aClaim(sale, 1))
    await raw(redis, 'DEL', stockKeys(sale.saleId).packets)
    expect(await reserve(redis, aClaim(sale, 2))).toEqual({ kind: 'unavailable' })
    await freeze(redis, sale.saleId)
    expect(await reserve(redis, aClaim(sale, 2))).toEqual({ kind: 'unavailable' })
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 1 })
  })

  it('reads first and writes last, with four commands at most (P9)', async () => {
    const sale = await aWarmRain(redis, [10, 20])
    await claimAll(redis, sale, 1)
    await raw(redis, 'CONFIG', 'RESETSTAT')
    await reserve(redis, aClaim(sale, 1))
    const counts = await commandCounts(redis)
    expect(['hmget', 'rpop', 'hset'].map((name) => counts.get(name) ?? 0)).toEqual([1, 1, 2])
    await raw(redis, 'CONFIG', 'RESETSTAT')
    await reserve(redis, aClaim(sale, 1))
    expect((await commandCounts(redis)).get('hset')).toBeUndefined()
  })

  it('with a packet that no version of ours wrote is a fault (I6)', async () => {
    const sale = await aWarmRain(redis, [10])
    await raw(redis, 'RPUSH', stockKeys(sale.saleId).packets, '{"number":0}')
    await expect(reserve(redis, aClaim(sale, 1))).rejects.toThrow(UnexpectedReply)
  })

  it('of many at once leaves each shopper one packet and each packet one shopper (P3)', async () => {
    const amounts = Array.from({ length: 300 }, (_, at) => at + 1)
    const sale = await aWarmRain(redis, amounts)
    const answers = await Promise.all(Array.from({ length: 1500 }, (_, at) => reserve(redis, aClaim(sale, at % 500))))
    const taken = answers.flatMap((one) => (one.kind === 'reserved' ? [one.message] : []))
    expect(new Set(taken.map(({ shopperId }) => shopperId)).size).toBe(300)
    expect(taken.map(({ packet }) => packet?.amount)).toEqual(amounts)
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 300, available: 0 })
  })
})

describe('a claim whose order was rejected', () => {
  it('returns its packet once, which is the next one that is claimed, and never has another (O9, I5, P3)', async () => {
    const sale = await aWarmRain(redis, [10, 20])
    await claimAll(redis, sale, 2)
    const order = { orderId: claimIdOf(sale, 0), shopperId: shopperIdOf(0) }
    for (const orders of [1, 0]) expect(await release(redis, sale.saleId, [order])).toMatchObject({ orders })
    expect(await waitingPackets(redis, sale)).toEqual(packetsOf([10]))
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 1, available: 1, stockRevision: 1 })
    expect(await reserve(redis, aClaim(sale, 0))).toMatchObject({ kind: 'repeat', quantity: 0 })
    expect(packetOf(await reserve(redis, aClaim(sale, 2)))).toEqual(packetsOf([10])[0])
  })

  it('returns a unit without the packet when the table has given that to another order (P3)', async () => {
    const sale = await aWarmRain(redis, [10, 20])
    await claimAll(redis, sale, 1)
    const order = { orderId: claimIdOf(sale, 0), shopperId: shopperIdOf(0), isPacketTaken: true }
    await release(redis, sale.saleId, [order])
    expect(await waitingPackets(redis, sale)).toEqual(packetsOf([20], 1))
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 0 })
  })

  it('moves a frozen stock, whose packets are loaded anew then (P10)', async () => {
    const sale = await aWarmRain(redis, [10])
    await claimAll(redis, sale, 1)
    await freeze(redis, sale.saleId)
    await release(redis, sale.saleId, [{ orderId: claimIdOf(sale, 0), shopperId: shopperIdOf(0) }])
    expect(await readStock(redis, sale.saleId)).toMatchObject({ freeze: { moves: 1 } })
  })
})

describe('an order with a packet that Redis forgot', () => {
  const [first, second, third] = packetsOf([10, 20, 30])
  const ordered = (sale: Parameters<typeof claimIdOf>[0], shopper: number, packet = second): ExpectedOrder => ({
    ...{ orderId: claimIdOf(sale, shopper), shopperId: shopperIdOf(shopper), quantity: 1, reservedAt: 4_000 },
    ...(packet && { packet }),
  })
  const isOnce = async (saleId: Parameters<typeof restore>[1], ...orders: ExpectedOrder[]) => {
    const counts = [await restore(redis, saleId, orders), await restore(redis, saleId, orders)]
    expect(counts).toMatchObject([{ orders: 1 }, { orders: 0 }])
  }

  it('takes its packet out of the list, once, also when it is listed twice (P10, I5)', async () => {
    const sale = await aWarmRain(redis, [10, 20, 30])
    await isOnce(sale.saleId, ordered(sale, 5), ordered(sale, 5))
    expect(await waitingPackets(redis, sale)).toEqual([first, third])
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 1 })
    expect(await reserve(redis, aClaim(sale, 5))).toMatchObject({ kind: 'repeat', packet: second })
  })

  it('replaces another packet of its shopper, which is the next one that is claimed (P3)', async () => {
    const sale = await aWarmRain(redis, [10, 20, 30])
    await claimAll(redis, sale, 1, 5)
    await isOnce(sale.saleId, ordered(sale, 5))
    expect(await waitingPackets(redis, sale)).toEqual([first, third])
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 1 })
  })

  it('gets its unit when its packet is neither held back nor listed, and the counts show that one is missing (I4)', async () => {
    const sale = await aWarmRain(redis, [10, 20, 30])
    await claimAll(redis, sale, 2)
    await isOnce(sale.saleId, ordered(sale, 5))
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 3, packets: { loaded: 3, waiting: 1 } })
    expect(await waitingPackets(redis, sale)).toEqual([third])
  })

  it('returns its packet when it had ended, once, and stays so (I5)', async () => {
    const sale = await aWarmRain(redis, [10, 20, 30])
    await claimAll(redis, sale, 1, 5)
    await isOnce(sale.saleId, { ...ordered(sale, 5, first), quantity: 0 })
    await restore(redis, sale.saleId, [ordered(sale, 5, first)])
    expect(await waitingPackets(redis, sale)).toEqual([first, second, third])
    expect(await waitingIn(redis, sale.saleId)).toEqual([])
  })
})
