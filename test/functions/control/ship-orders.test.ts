/** Orders of a sale are marked as shipped and delivered, and keep their units for good. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { orderNumberOf } from '../../../core/orders/order-number.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { readPaidOrders } from '../../../functions/table/orders/paid-orders.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { orderIdOf, saleIdOf } from '../../redis/support.ts'
import { changesOrders } from '../../world/wire.ts'
import { useWorld, world } from '../../world/world.ts'

const rig = useWorld()
beforeEach(() => rig.open({ price: 1000, supportRefundLimit: 500 }))

/** `count` written orders, of which the first `paid` are paid. */
async function sell<Count extends number>(count: Count, paid: number = count) {
  const orderIds = await rig.sell(count)
  for (const orderId of (orderIds as OrderId[]).slice(0, paid)) await pay(orderId)
  return orderIds
}

const phone = saleIdOf('phone')
const moneyOf = (orderId: OrderId) => ({ paymentId: `${orderId}.1`, amount: 1000, currency: 'CNY' })

async function pay(orderId: OrderId): Promise<void> {
  await changeOrder(rig.ports, orderId, { kind: 'payment-started', graceMs: 0 })
  await changeOrder(rig.ports, orderId, { kind: 'payment-succeeded', ...moneyOf(orderId) })
}

const line = (orderId: string, changes: object = {}) => ({
  ...{ orderId, carrier: 'DHL', tracking: 'N1', status: 'shipped' },
  ...changes,
})
const ship = (lines: object[], more: object = {}, roles = 'support') =>
  rig.ask('POST', '/sales/phone/shipments', { lines, ...more }, { 'x-shopper-roles': roles })

async function codesOf(lines: object[], more: object = {}): Promise<string[]> {
  const { status, body } = await ship(lines, more)
  expect(status).toBe(200)
  return body.lines.map(({ code }: { code: string }) => code)
}

const stored = async (orderId: OrderId) => {
  const order = await rig.table.find(orderId)
  if (order === undefined) throw new Error(`${orderId} is not written`)
  return order
}
const shipEntries = () => rig.audit().filter(({ what }) => what === 'ship')
const refund = (orderId: OrderId, roles = 'marketer') =>
  rig.ask('POST', `/orders/${orderId}/refund`, {}, { 'x-shopper-roles': roles })

async function sellAndShip() {
  const [orderId] = await sell(1)
  await ship([line(orderId)])
  return orderId
}

describe('POST /api/control/sales/{id}/shipments', () => {
  it('ships and delivers paid orders, with one audit entry for a call', async () => {
    const [first, second, third] = await sell(3)
    expect(
      await codesOf([line(first), line(second, { status: 'delivered' }), { ...line(third), tracking: undefined }]),
    ).toEqual(['shipped', 'delivered', 'shipped'])
    expect(await stored(first)).toMatchObject({ status: 'shipped', shipment: { carrier: 'DHL', tracking: 'N1' } })
    const delivered = await stored(second)
    expect(delivered.status).toBe('delivered')
    expect(delivered.history.slice(-2).map(({ what }) => what)).toEqual(['shipped', 'delivered'])
    expect((await stored(third)).shipment).toEqual({ carrier: 'DHL' })
    expect(shipEntries()).toMatchObject([
      { who: 'mia', role: 'support', saleId: 'phone', before: null, after: { shipped: 2, delivered: 1 } },
    ])
  })

  it('takes the number that people see, and the link of a carrier without one of ours', async () => {
    const [first, second] = await sell(2)
    const [{ orderNumber } = {}, { orderNumber: other } = {}] = [await stored(first), await stored(second)]
    const numbered = {
      ...line(first, { carrier: 'Bob’s Bikes', link: 'https://bikes.example/N1' }),
      orderId: undefined,
    }
    const lines = [{ ...numbered, orderNumber }, line(first), { ...numbered, orderNumber: orderNumberOf(99) }]
    const { body } = await ship(lines)
    expect(body.lines).toEqual([
      { orderNumber, code: 'shipped' },
      { orderId: first, code: 'duplicate' },
      { orderNumber: orderNumberOf(99), code: 'not-found' },
    ])
    const shipment = { carrier: 'Bob’s Bikes', tracking: 'N1', link: 'https://bikes.example/N1' }
    expect((await stored(first)).shipment).toEqual(shipment)
    expect(await codesOf([{ ...numbered, orderNumber }])).toEqual(['repeat'])
    expect(await codesOf([{ ...numbered, orderNumber, link: undefined }])).toEqual(['corrected'])
    const elsewhere = await rig.ask('POST', '/sales/other/shipments', { lines: [{ ...numbered, orderNumber: other }] })
    expect(elsewhere.status).toBe(404)
  })

  it('changes nothing when the same lines come again, and leaves no second entry (I5)', async () => {
    const orderId = await sellAndShip()
    const before = await stored(orderId)
    expect(await codesOf([line(orderId)])).toEqual(['repeat'])
    expect(await stored(orderId)).toEqual(before)
    await ship([line(orderId, { status: 'delivered' })])
    expect(await codesOf([line(orderId), line(orderId)])).toEqual(['repeat', 'duplicate'])
    expect(shipEntries()).toHaveLength(2)
  })

  it('corrects the number of a shipped order, and never that of a delivered one', async () => {
    const orderId = await sellAndShip()
    expect(await codesOf([line(orderId, { tracking: 'N2' })])).toEqual(['corrected'])
    expect((await stored(orderId)).shipment).toEqual({ carrier: 'DHL', tracking: 'N2' })
    await ship([line(orderId, { tracking: 'N2', status: 'delivered' })])
    expect(await codesOf([line(orderId, { tracking: 'N3' })])).toEqual(['already-delivered'])
    expect((await stored(orderId)).shipment).toEqual({ carrier: 'DHL', tracking: 'N2' })
  })

  it('answers for each line why it cannot be shipped, and ships its neighbours', async () => {
    const [unpaid, ended, refunded, good] = await sell(4, 0)
    await changeOrder(rig.ports, ended, { kind: 'cancelled-by-shopper' })
    await pay(refunded)
    await refund(refunded)
    await pay(good)
    const reserved = await rig.reserve(9)
    const lines = [
      line(unpaid),
      line(ended),
      line(refunded),
      line(reserved),
      line(orderIdOf(saleIdOf('other'), 1, 1)),
      line(good),
      line(good, { tracking: 'N9' }),
    ]
    const codes = ['not-paid', 'ended', 'ended', 'not-found', 'other-sale', 'shipped', 'duplicate']
    expect(await codesOf(lines, { dryRun: true })).toEqual(codes)
    expect([(await stored(good)).status, shipEntries()], 'after a dry run').toEqual(['paid', []])
    expect(await codesOf(lines)).toEqual(codes)
    expect((await stored(good)).shipment?.tracking).toBe('N1')
    for (const orderId of [unpaid, ended, refunded]) expect((await stored(orderId)).shipment).toBeUndefined()
  })

  it('sends nothing whose payment is disputed until the bank has decided for the shop', async () => {
    const [orderId] = await sell(1)
    const paid = await readPaidOrders(rig.table.table, phone)
    const { paymentId } = moneyOf(orderId)
    await changeOrder(rig.ports, orderId, { kind: 'payment-disputed', paymentId })
    expect(await readPaidOrders(rig.table.table, phone)).toMatchObject({ orders: 0, amount: 0 })
    expect(await codesOf([line(orderId)], { dryRun: true })).toEqual(['disputed'])
    expect(await codesOf([line(orderId)])).toEqual(['disputed'])
    expect(await refund(orderId)).toMatchObject({ status: 409, body: { reason: 'payment-disputed' } })
    const found = await rig.ask('POST', '/orders/find', { find: orderId })
    expect(found.body.orders).toMatchObject([{ dispute: { paymentId, state: 'open' } }])
    await changeOrder(rig.ports, orderId, { kind: 'dispute-won', paymentId })
    expect(await readPaidOrders(rig.table.table, phone)).toEqual(paid)
    expect(await codesOf([line(orderId)])).toEqual(['shipped'])
  })

  it('finishes a call that was cut off when it is repeated (I5)', async () => {
    const orderIds = await sell(3)
    const { table } = rig.ports
    let left = 1
    rig.ports.table = onWireAt(table, changesOrders, async (send) => {
      left -= 1
      if (left < 0) throw new Error('cut off')
      return send()
    })
    const lines = orderIds.map((orderId) => line(orderId))
    await expect(ship(lines)).rejects.toThrow('cut off')
    expect(shipEntries()).toHaveLength(1)
    rig.ports.table = table
    expect((await codesOf(lines)).toSorted()).toEqual(['repeat', 'shipped', 'shipped'])
    for (const orderId of orderIds) expect((await stored(orderId)).status).toBe('shipped')
  })

  it('decides again for an order that is refunded in the same moment (I4)', async () => {
    const [orderId] = await sell(1)
    const { table } = rig.ports
    rig.ports.table = onWireAt(table, 'batch get ORDERS', async (send) => {
      rig.ports.table = table
      const found = await send()
      await refund(orderId)
      return found
    })
    expect(await codesOf([line(orderId)])).toEqual(['ended'])
    expect(await stored(orderId)).toMatchObject({ status: 'refund-due' })
  })

  it('ships free goods, and refuses coupons', async () => {
    await rig.ask('POST', '/sales', rig.definition({ saleId: 'codes', kind: 'coupon', price: 0 }))
    const lines = [line(orderIdOf(saleIdOf('codes'), 1, 1))]
    expect(await rig.ask('POST', '/sales/codes/shipments', { lines })).toMatchObject({
      status: 409,
      body: { reason: 'only-goods-shipped' },
    })
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open({ price: 0 })
    const [free] = await rig.sell(1)
    expect(await codesOf([line(free)])).toEqual(['shipped'])
    expect(await refund(free)).toMatchObject({ status: 409, body: { reason: 'nothing-to-refund' } })
    expect((await rig.live()).paid).toMatchObject({ orders: 0, amount: 0, refunded: 0 })
  })
})

describe('a shipped order', () => {
  it('keeps its units and its status when its money goes back, once (I1, I5)', async () => {
    const orderId = await sellAndShip()
    expect(await refund(orderId, 'support')).toMatchObject({ status: 403, body: { reason: 'over-refund-limit' } })
    expect(await refund(orderId)).toMatchObject({ status: 200, body: { status: 'shipped', refund: moneyOf(orderId) } })
    expect(await refund(orderId)).toMatchObject({ status: 200, body: { status: 'shipped', refund: null } })
    expect(rig.provider.asked).toEqual([{ ...moneyOf(orderId), orderId }])
    expect(await rig.booked()).toBe(1)
    await changeOrder(rig.ports, orderId, { kind: 'refund-succeeded', ...moneyOf(orderId) })
    expect(await stored(orderId)).toMatchObject({
      status: 'shipped',
      refunds: [{ ...moneyOf(orderId), returned: 1000 }],
    })
    expect(await rig.booked()).toBe(1)
    expect((await saleTotals(rig.table.table, (await stored(orderId)).saleId))?.sold).toBe(1)
    expect(await rig.live()).toMatchObject({
      drift: 0,
      paid: { orders: 0, amount: 0, disputed: 0, disputedAmount: 0, refunded: 1000 },
    })
    expect(await codesOf([line(orderId, { status: 'delivered' })])).toEqual(['delivered'])
  })

  it('is found by support with its shipment, and stands in the table of orders', async () => {
    const [orderId] = await sell(1)
    await ship([line(orderId, { carrier: '顺丰速运' })])
    const found = await rig.ask('POST', '/orders/find', { find: orderId })
    expect(found.body.orders[0]).toMatchObject({ status: 'shipped', shipment: { carrier: '顺丰速运', tracking: 'N1' } })
    const [head = '', row = ''] = (await rig.ask('GET', '/sales/phone/orders.csv')).body.split('\r\n')
    const cell = (name: string) => row.split(',')[head.split(',').indexOf(name)]
    expect([cell('status'), cell('carrier'), cell('tracking')]).toEqual(['shipped', '顺丰速运', 'N1'])
    expect(cell('shippedAt')).toBe(new Date(rig.clock.now).toISOString())
  })
})
