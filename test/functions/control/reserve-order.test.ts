import { beforeEach, describe, expect, it } from 'vitest'
import { maxQuantity } from '../../../core/buy/limits.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { release } from '../../../redis/orders/release.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { updateDefinition } from '../../../redis/stock/warm.ts'
import { aSale, shopperIdOf, waitingIn } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const redis = useRedis()
const rig = useWorld({ redis })
beforeEach(async () => {
  await rig.create()
})

const open = async () => {
  await rig.act('start', { now: true })
}
const orderOf = (shopper: number, quantity = 1, key = 'k1') => ({ shopperId: `shopper-${shopper}`, quantity, key })
const place = (order: object) => rig.act('orders', order)
const answerTo = async (order: object) => {
  const { status, body } = await place(order)
  expect(status).toBe(200)
  return body
}
const idOf = (shopper: number, key = 'k1') => deriveOrderId(phone, shopperIdOf(shopper), key)

describe('POST /api/control/sales/{id}/orders', () => {
  it('reserves, sends the message, and takes no more than there is (I1, O2)', async () => {
    await open()
    for (const shopper of [1, 2, 3, 4]) {
      const made = { code: 'reserved', orderId: idOf(shopper), quantity: 2 }
      expect(await answerTo(orderOf(shopper, 2))).toEqual(made)
    }
    expect(await answerTo(orderOf(5))).toMatchObject({ code: 'reserved' })
    expect(await answerTo(orderOf(6, 2))).toEqual({ code: 'sold-out', orderId: null, quantity: 0 })
    expect(await answerTo(orderOf(7))).toMatchObject({ code: 'reserved' })
    expect(rig.queue.messages.map(({ orderId }) => orderId)).toEqual([1, 2, 3, 4, 5, 7].map((n) => idOf(n)))
    await rig.deliver()
    expect(await rig.stockRecord()).toMatchObject({ booked: 10, available: 0 })
    expect(await rig.table.find(idOf(5))).toMatchObject({ status: 'awaiting-payment', quantity: 1 })
  })

  it('finds the order of a repeated call, and takes nothing twice (I5)', async () => {
    await open()
    await place(orderOf(1, 2))
    await place(orderOf(2))
    await release(redis, phone, [{ orderId: idOf(2), shopperId: shopperIdOf(2) }])
    expect(await answerTo(orderOf(1, 2))).toEqual({ code: 'repeat', quantity: 2, orderId: idOf(1) })
    expect(await answerTo(orderOf(2))).toEqual({ code: 'repeat', quantity: 0, orderId: idOf(2) })
    expect(await rig.stockRecord()).toMatchObject({ booked: 2 })
  })

  it('applies the rules of the sale (I3, R2)', async () => {
    await open()
    expect(await answerTo(orderOf(1, 3))).toMatchObject({ code: 'invalid-request', field: 'quantity', orderId: null })
    expect(await answerTo(orderOf(2, 2))).toMatchObject({ code: 'reserved' })
    expect(await answerTo(orderOf(2, 1, 'k2'))).toMatchObject({ code: 'limit-reached', orderId: null })
  })

  it.each([
    ['not-started', async () => {}],
    ['paused', () => rig.act('pause')],
    ['ended', () => rig.act('close')],
    ['unavailable', () => freeze(redis, phone)],
    ['unavailable', () => rig.loseStock()],
    [
      'unavailable',
      () => updateDefinition(redis, { ...aSale(), saleId: phone, version: 99, endsAt: rig.clock.now + 1 }),
    ],
  ])('answers %s while nothing is sold (G2, I6)', async (code, change) => {
    if (code === 'not-started') await rig.act('warm')
    else await open()
    await change()
    expect(await answerTo(orderOf(1))).toEqual({ code, orderId: null, quantity: 0 })
  })

  it('keeps what it reserved in the outbox while SQS is unavailable (O4)', async () => {
    await open()
    rig.ports.orderQueue = { ...rig.ports.orderQueue, sendAll: () => Promise.reject(new Error('no queue')) }
    expect(await answerTo(orderOf(1))).toMatchObject({ code: 'reserved' })
    expect(await waitingIn(redis, phone)).toHaveLength(1)
  })

  it('fails while Redis is unavailable, and a repeat succeeds (I6)', async () => {
    await open()
    const succeedAgain = rig.stock.fail('reserve')
    await expect(place(orderOf(1))).rejects.toThrow(RedisUnavailable)
    succeedAgain()
    expect(await answerTo(orderOf(1))).toMatchObject({ code: 'reserved' })
  })

  it('writes who asked for how many, before anything is taken', async () => {
    await open()
    const succeedAgain = rig.table.failAt('AUDIT#')
    await expect(place(orderOf(1))).rejects.toThrow('DynamoDB fails at AUDIT#')
    expect(await rig.stockRecord()).toMatchObject({ booked: 0 })
    succeedAgain()
    await place(orderOf(1, 2))
    expect(rig.audit().at(-1)).toMatchObject({ who: 'mia', what: 'reserve', after: { orderId: idOf(1), units: 2 } })
  })

  it('refuses an archived sale', async () => {
    await open()
    await rig.change({ archivedAt: 1 })
    expect(await place(orderOf(1))).toMatchObject({ status: 409, body: { reason: 'archived' } })
    expect(await rig.stockRecord()).toMatchObject({ booked: 0 })
  })

  it('refuses a sale that takes no orders', async () => {
    expect(await place(orderOf(1))).toMatchObject({ status: 409, body: { reason: 'not-yet-published' } })
    const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig.definition()
    const rain = { ...definition, saleId: 'rain', kind: 'red-packet', packets: { count: 8, totalAmount: 1000 } }
    await rig.ask('POST', '/sales', rain)
    const refused = { status: 409, body: { reason: 'packets-claimed' } }
    expect(await rig.ask('POST', '/sales/rain/orders', orderOf(1))).toMatchObject(refused)
  })

  it('places it at the price of the sale, and names the field that the sale refuses', async () => {
    const { currency, price } = await rig.sale()
    await open()
    expect(await answerTo(orderOf(1))).toMatchObject({ code: 'reserved' })
    const refused = [
      ['variant', { ...orderOf(4), quantity: 1, variant: 's' }],
      ['quantity', orderOf(5, maxQuantity)],
    ] as const
    for (const [field, order] of refused)
      expect(await answerTo(order)).toMatchObject({ code: 'invalid-request', field })
    await rig.deliver()
    expect(await rig.table.find(idOf(1))).toMatchObject({ currency, amount: price })
  })

  it.each([
    ['quantity', { ...orderOf(1), quantity: 0 }],
    ['quantity', orderOf(1, maxQuantity + 1)],
    ['key', orderOf(1, 1, '')],
    ['shopperId', { ...orderOf(1), shopperId: 'a b' }],
    ['shopperId', {}],
    ['currency', { ...orderOf(1), currency: 'EUR' }],
    ['price', { ...orderOf(1), price: 1 }],
    ['lines', { ...orderOf(1), lines: [] }],
  ])('names the field %s of a body that it cannot read, and places nothing', async (field, body) => {
    await open()
    expect(await rig.act('orders', body)).toMatchObject({ status: 400, body: { field } })
    expect(await rig.stockRecord()).toMatchObject({ booked: 0 })
  })
})
