import { beforeEach, describe, expect, it } from 'vitest'
import { maxOrderLines } from '../../../core/api/order-lines.ts'
import { maxControlBodyBytes } from '../../../core/body-limits.ts'
import { maxQuantity } from '../../../core/buy/buy-request.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { findSale, saveSale } from '../../../functions/table/sale/sales.ts'
import { release } from '../../../redis/orders/release.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { flip } from '../../../redis/stock/warm.ts'
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
const line = (shopper: number, quantity = 1, key = 'k1') => ({
  shopperId: `shopper-${shopper}`,
  quantity,
  key,
})
const place = (...lines: object[]) => rig.act('orders', { lines })
const answersOf = async (...lines: object[]) => {
  const { status, body } = await place(...lines)
  expect(status).toBe(200)
  return body.lines
}
const idOf = (shopper: number, key = 'k1') => deriveOrderId(phone, shopperIdOf(shopper), key)

describe('POST /api/control/sales/{id}/orders', () => {
  it('reserves for each shopper, sends their messages, and takes no more than there is (I1, O2)', async () => {
    await open()
    const lines = await answersOf(line(1, 2), line(2, 2), line(3, 2), line(4, 2), line(5, 1), line(6, 2), line(7))
    const made = (shopper: number, quantity: number) => ({
      ...{ shopperId: `shopper-${shopper}`, key: 'k1', code: 'reserved' },
      ...{ orderId: idOf(shopper), quantity },
    })
    const soldOut = { shopperId: 'shopper-6', key: 'k1', code: 'sold-out', orderId: null, quantity: 0 }
    expect(lines).toEqual([made(1, 2), made(2, 2), made(3, 2), made(4, 2), made(5, 1), soldOut, made(7, 1)])
    expect(rig.queue.messages.map(({ orderId }) => orderId)).toEqual([1, 2, 3, 4, 5, 7].map((n) => idOf(n)))
    await rig.deliver()
    expect(await rig.stockRecord()).toMatchObject({ booked: 10, available: 0 })
    expect(await rig.table.find(idOf(5))).toMatchObject({ status: 'awaiting-payment', quantity: 1 })
  })

  it('finds the orders of a repeated call, and takes nothing twice (I5)', async () => {
    await open()
    await place(line(1, 2), line(2))
    await release(redis, phone, [{ orderId: idOf(2), shopperId: shopperIdOf(2) }])
    expect(await answersOf(line(1, 2), line(2), line(3), line(3))).toMatchObject([
      { code: 'repeat', quantity: 2, orderId: idOf(1) },
      { code: 'repeat', quantity: 0, orderId: idOf(2) },
      { code: 'reserved', quantity: 1, orderId: idOf(3) },
      { code: 'repeat', quantity: 1, orderId: idOf(3) },
    ])
    expect(await rig.stockRecord()).toMatchObject({ booked: 3 })
  })

  it('applies the rules of the sale to each line (I3, R2)', async () => {
    await open()
    const lines = [line(1, 3), line(2, 2), line(2, 1, 'k2'), line(3)]
    expect(await answersOf(...lines)).toMatchObject([
      { code: 'invalid-request', orderId: null },
      { code: 'reserved' },
      { code: 'limit-reached', orderId: null },
      { code: 'reserved' },
    ])
  })

  it.each([
    ['not-started', async () => {}],
    ['paused', () => rig.act('pause')],
    ['ended', () => rig.act('close')],
    ['unavailable', () => freeze(redis, phone)],
    ['unavailable', () => rig.loseStock()],
    ['unavailable', () => flip(redis, { ...aSale(), saleId: phone, version: 99, endsAt: rig.clock.now + 1 })],
  ])('answers %s for each line while nothing is sold (G2, I6)', async (code, change) => {
    if (code === 'not-started') await rig.act('warm')
    else await open()
    await change()
    const none = { code, orderId: null, quantity: 0 }
    expect(await answersOf(line(1), line(2))).toMatchObject([none, none])
  })

  it('keeps what it reserved in the outbox while SQS is unavailable (O4)', async () => {
    await open()
    rig.ports.orderQueue = { ...rig.ports.orderQueue, sendAll: () => Promise.reject(new Error('no queue')) }
    expect(await answersOf(line(1), line(2))).toMatchObject([{ code: 'reserved' }, { code: 'reserved' }])
    expect(await waitingIn(redis, phone)).toHaveLength(2)
  })

  it('answers unavailable for each line while Redis is, and a repeat succeeds (I6)', async () => {
    await open()
    const succeedAgain = rig.stock.fail('reserve-many')
    expect(await answersOf(line(1))).toMatchObject([{ code: 'unavailable', orderId: null }])
    succeedAgain()
    expect(await answersOf(line(1))).toMatchObject([{ code: 'reserved' }])
  })

  it('writes who asked for how many, before anything is taken', async () => {
    await open()
    const succeedAgain = rig.table.failAt('AUDIT#')
    await expect(place(line(1))).rejects.toThrow('DynamoDB fails at AUDIT#')
    expect(await rig.stockRecord()).toMatchObject({ booked: 0 })
    succeedAgain()
    await place(line(1, 2), line(2))
    expect(rig.audit().at(-1)).toMatchObject({
      who: 'mia',
      what: 'reserve',
      after: { lines: 2, units: 3 },
    })
  })

  it('refuses an archived sale', async () => {
    await open()
    const record = await findSale(rig.table, phone)
    if (record === undefined) throw new Error('there is no sale')
    const { revision, sale, finishedStockChanges } = record
    await saveSale(rig.table, revision, { sale: { ...sale, archivedAt: 1 }, finishedStockChanges }, {})
    expect(await place(line(1))).toMatchObject({ status: 409, body: { reason: 'archived' } })
    expect(await rig.stockRecord()).toMatchObject({ booked: 0 })
  })

  it('refuses a sale that takes no orders, and one that does not exist', async () => {
    expect(await place(line(1))).toMatchObject({ status: 409, body: { reason: 'not-yet-published' } })
    expect(await rig.ask('POST', '/sales/other/orders', { lines: [line(1)] })).toMatchObject({ status: 404 })
    const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig.definition()
    const rain = {
      ...definition,
      saleId: 'rain',
      kind: 'red-packet',
      packets: { count: 8, totalAmount: 1000 },
    }
    await rig.ask('POST', '/sales', rain)
    const refused = { status: 409, body: { reason: 'packets-claimed' } }
    expect(await rig.ask('POST', '/sales/rain/orders', { lines: [line(1)] })).toMatchObject(refused)
  })

  it('places each in the currency that it names, and names the field of the others that is wrong', async () => {
    const { sale } = (await findSale(rig.table, phone)) ?? {}
    const other = sale?.currency === 'USD' ? 'EUR' : 'USD'
    await rig.ask('PATCH', `/sales/${phone}`, { prices: { [other]: 219 } })
    await open()
    const named = (shopper: number, currency: string) => ({ ...line(shopper), currency })
    const wrong = [{ ...line(4), quantity: undefined, basket: { s: 1 } }, line(5, maxQuantity)]
    const lines = await answersOf(line(1), named(2, other), named(3, 'GBP'), ...wrong)
    expect(lines.map(({ code, field }: { code: string; field?: string }) => [code, field])).toEqual([
      ['reserved', undefined],
      ['reserved', undefined],
      ['invalid-request', 'currency'],
      ['invalid-request', 'basket'],
      ['invalid-request', 'quantity'],
    ])
    await rig.deliver()
    expect(await rig.table.find(idOf(1))).toMatchObject({ currency: sale?.currency, amount: sale?.price })
    expect(await rig.table.find(idOf(2))).toMatchObject({ currency: other, amount: 219 })
  })

  it.each([
    ['lines', { lines: [] }],
    ['lines', { lines: Array.from({ length: maxOrderLines + 1 }, (_, at) => line(at)) }],
    ['lines', {}],
    ['lines.1.quantity', { lines: [line(1), line(2, 0)] }],
    ['lines.0.quantity', { lines: [line(1, maxQuantity + 1)] }],
    ['lines.0.key', { lines: [{ ...line(1), key: '' }] }],
    ['lines.0.shopperId', { lines: [{ ...line(1), shopperId: 'a b' }] }],
    ['lines.0.currency', { lines: [{ ...line(1), currency: 'eur' }] }],
    ['lines.0.price', { lines: [{ ...line(1), price: 1 }] }],
    ['more', { lines: [line(1)], more: true }],
  ])('names the field %s of a body that it cannot read, and places nothing', async (field, body) => {
    await open()
    expect(await rig.act('orders', body)).toMatchObject({ status: 400, body: { field } })
    expect(await rig.stockRecord()).toMatchObject({ booked: 0 })
  })

  it('has room for as many lines as it takes, at their longest', () => {
    const longest = {
      shopperId: 's'.repeat(128),
      quantity: maxQuantity,
      currency: 'EUR',
      key: 'k'.repeat(64),
    }
    const body = { lines: Array.from({ length: maxOrderLines }, () => longest) }
    expect(JSON.stringify(body, null, 2).length).toBeLessThan(maxControlBodyBytes)
  })
})
