/** One suite for every table of orders; DynamoDB also under parallel steps. */

import { expect, it } from 'vitest'
import type { Sale } from '../../core/sale/sale.ts'
import type { ProviderEvent } from '../../functions/table/orders/change-orders.ts'
import { addRefund, dueRefunds, findRefund } from '../../functions/table/orders/due-money.ts'
import { readPaidOrders } from '../../functions/table/orders/paid-orders.ts'
import { dueReleases } from '../../functions/table/orders/releases.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { orderIdOf } from '../redis/support.ts'
import { describeTables, finalOf, openTableSale, orderOf, range, step, type TableRig, write } from './table-rig.ts'

let events = 0

function anEvent(changes: Partial<ProviderEvent> = {}): ProviderEvent {
  events += 1
  return { eventId: `event#${events}`, digest: 'one', receivedAt: 7_000, ...changes }
}

/** A sale with one written order of two units for each of `shoppers`. */
async function saleWithOrders(rig: TableRig, shoppers: number, changes: Partial<Sale> = {}) {
  const sale = await openTableSale(rig, { stock: 100, ...changes })
  const orders = range(shoppers).map((shopper) => orderOf(sale, shopper, 1, { quantity: 2 }))
  await write(rig, sale, orders)
  return { sale, orders }
}

async function oneOrder(rig: TableRig, changes: Partial<Sale> = {}) {
  const { sale, orders } = await saleWithOrders(rig, 1, changes)
  const [order] = orders
  if (order === undefined) throw new Error('one order was asked for')
  return { sale, order }
}

describeTables('the ledger of orders', (the) => {
  it('reads an order back with its whole history', async () => {
    const { order } = await oneOrder(the())
    const paid = step(order, 'refund-due', {
      reason: 'by-marketer',
      cancelAt: 1_026_000,
      payment: { paymentId: `${order.orderId}.2`, attempt: 2, startedAt: 6_500, state: 'succeeded' },
      dispute: { paymentId: `${order.orderId}.2`, state: 'won', at: 6_900, each: { du_1: 'won' } },
      refunds: [
        { paymentId: `${order.orderId}.1`, amount: 0, currency: 'CNY', returned: 4 },
        { paymentId: `${order.orderId}.2`, amount: 10, currency: 'CNY', returned: 0 },
      ],
    })
    expect(await the().ledger.change([paid])).toEqual({ kind: 'changed' })
    expect(await the().ledger.find(order.orderId)).toEqual(paid.to)
    expect(await the().ledger.find(orderIdOf(order.saleId, 99, 1))).toBeUndefined()
  })

  it('reads back how an order was shipped, and keeps its units through a refund (I1, I4)', async () => {
    const rig = the()
    const { sale, order } = await oneOrder(rig)
    const paid = step(order, 'paid')
    const shipped = step(paid.to, 'shipped', { shipment: { carrier: '顺丰速运', tracking: 'SF 1' } })
    const owed = { paymentId: `${order.orderId}.1`, amount: order.amount, currency: 'CNY' }
    const refunded = step(shipped.to, 'shipped', { refunds: [{ ...owed, returned: 0 }] })
    const delivered = step(refunded.to, 'delivered', { shipment: { carrier: 'DHL' } })
    for (const change of [paid, shipped, { ...refunded, refund: owed }, delivered]) {
      expect(await rig.ledger.change([change])).toEqual({ kind: 'changed' })
      expect(await rig.ledger.find(order.orderId)).toEqual(change.to)
    }
    expect(await saleTotals(rig.table, sale.saleId)).toMatchObject({ sold: 2, orders: 1 })
    expect(await rig.bought(sale.saleId, order.shopperId)).toBe(2)
    expect(await dueReleases(rig.table, sale.saleId)).toEqual([])
    expect(await readPaidOrders(rig.table, sale.saleId)).toEqual({
      orders: 1,
      amount: order.amount,
      ...{ disputed: 0, disputedAmount: 0, refunded: 0, returned: 0, redeemed: 0 },
    })
  })

  it('counts what went back of the order, and nothing of a payment in another currency', async () => {
    const rig = the()
    const sale = await openTableSale(rig)
    const order = orderOf(sale, 1)
    await write(rig, sale, [order])
    const paid = step(order, 'paid')
    expect(await rig.ledger.change([paid])).toEqual({ kind: 'changed' })
    const owed = { paymentId: `${order.orderId}.1`, amount: order.amount, currency: order.currency }
    const foreign = { paymentId: `${order.orderId}.2`, amount: 700, currency: 'JPY', returned: 700 }
    const refunded = step(paid.to, 'refund-due', { refunds: [{ ...owed, returned: 1 }, foreign] })
    expect(await rig.ledger.change([{ ...refunded, refund: owed }])).toEqual({ kind: 'changed' })
    expect(await readPaidOrders(rig.table, sale.saleId)).toEqual({
      ...{ orders: 0, amount: 0, disputed: 0, disputedAmount: 0, refunded: 1, returned: 0, redeemed: 0 },
    })
  })

  it('finds the written ones among many ids, some of them repeated', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 150 })
    const orders = range(130).map((shopper) => orderOf(sale, shopper))
    for (const start of [0, 49, 98]) await write(rig, sale, orders.slice(start, start + 49))
    const ids = range(150).map((shopper) => orderIdOf(sale.saleId, shopper, 1))
    const found = await rig.ledger.findMany(ids.flatMap((id) => [id, id]))
    expect(found).toEqual(new Map(orders.map((order) => [order.orderId, order])))
    expect(await rig.ledger.findMany([])).toEqual(new Map())
  })

  it('throws, and writes nothing, when the cap never counted the returned units (I1)', async () => {
    const rig = the()
    const { sale, order } = await oneOrder(rig)
    const cancelled = step({ ...order, quantity: 3 }, 'cancelled', { reason: 'unpaid' })
    await expect(rig.ledger.change([cancelled])).rejects.toThrow(/cap or a buyer/)
    expect(await rig.ledger.find(order.orderId)).toEqual(order)
    expect(await saleTotals(rig.table, sale.saleId)).toEqual({ remaining: 98, sold: 2, orders: 1 })
  })

  /** An order whose ten units of money are owed. */
  async function owedOrder() {
    const rig = the()
    const { order } = await oneOrder(rig)
    const refund = { paymentId: `${order.orderId}.1`, amount: 10, currency: 'CNY' }
    const returned = (amount: number) => ({ refunds: [{ ...refund, returned: amount }] })
    const owed = { ...step(order, 'refund-due', returned(0)), refund }
    await rig.ledger.change([owed])
    return { rig, order, refund, returned, owed }
  }

  it('makes a refund due with the step that requests it, and not a second time (I5)', async () => {
    const { rig, order, refund, returned, owed: first } = await owedOrder()
    const dueNow = async () => (await dueRefunds(rig.table)).filter(({ orderId }) => orderId === order.orderId)
    expect(await dueNow()).toEqual([{ ...refund, orderId: order.orderId, requestedAt: 7_000 }])
    const back = step(first.to, 'refunded', returned(10))
    await rig.ledger.change([back])
    const again = { ...step(back.to, 'refund-due'), refund }
    expect(await rig.ledger.change([again])).toEqual({ kind: 'changed' })
    expect(await dueNow()).toEqual([])
  })

  it('keeps the rest of a refund due until all of it is refunded (O9)', async () => {
    const { rig, order, refund, returned, owed } = await owedOrder()
    const leftNow = async () => (await findRefund(rig.table, refund.paymentId))?.amount
    const part = step(owed.to, 'refund-due', returned(4))
    await rig.ledger.change([part])
    expect(await leftNow()).toBe(6)
    expect((await dueRefunds(rig.table)).find(({ orderId }) => orderId === order.orderId)?.amount).toBe(6)
    await rig.ledger.change([step(part.to, 'refunded', returned(10))])
    expect(await leftNow()).toBeUndefined()
  })

  it('counts a refund without an order with its event, and only from the amount seen (I5)', async () => {
    const rig = the()
    const paymentId = 'stray#1'
    await addRefund(rig.table, { paymentId, orderId: 'unknown', amount: 10, currency: 'CNY', requestedAt: 8_000 })
    const event = anEvent()
    expect(await rig.ledger.change([], event, { paymentId, seen: 10, left: 6 })).toEqual({ kind: 'changed' })
    expect(await rig.ledger.change([], event, { paymentId, seen: 6, left: 2 })).toEqual({ kind: 'repeat' })
    expect(await rig.ledger.change([], anEvent(), { paymentId, seen: 10, left: 6 })).toMatchObject({ kind: 'stale' })
    expect(await findRefund(rig.table, paymentId)).toMatchObject({ amount: 6 })
    await rig.ledger.change([], anEvent(), { paymentId, seen: 6, left: 0 })
    expect(await findRefund(rig.table, paymentId)).toBeUndefined()
  })

  it('takes a step that needs an address only while one is stored, and a stale step as stale', async () => {
    const rig = the()
    const { order } = await oneOrder(rig)
    const started = { ...step(order, 'awaiting-payment'), needsDelivery: true }
    expect(await rig.ledger.change([started])).toEqual({ kind: 'no-delivery' })
    expect(await rig.ledger.find(order.orderId)).toEqual(order)
    const old = { ...started, from: { ...order, history: order.history.slice(1) } }
    expect(await rig.ledger.change([old])).toMatchObject({ kind: 'stale' })
    await rig.storeDelivery(order.orderId)
    expect(await rig.ledger.change([started])).toEqual({ kind: 'changed' })
    expect(await rig.ledger.find(order.orderId)).toEqual(started.to)
  })

  it('accepts one of several concurrent steps of each order (I4)', async () => {
    const rig = the()
    const { sale, orders } = await saleWithOrders(rig, 12)
    const until = async (change: () => ReturnType<typeof rig.ledger.change>) => {
      for (;;) {
        const answer = await change()
        if (answer.kind !== 'busy') return answer.kind
      }
    }
    const answers = await Promise.all(
      orders.flatMap((order) => [
        until(() => rig.ledger.change([step(order, 'cancelled', { reason: 'unpaid' })])),
        until(() => rig.ledger.change([step(order, 'cancelled', { reason: 'by-shopper' })])),
        until(() => rig.ledger.change([step(order, 'paid')])),
      ]),
    )
    expect(answers.filter((kind) => kind === 'changed')).toHaveLength(12)
    expect(answers.filter((kind) => kind === 'stale')).toHaveLength(24)
    const after = [...(await rig.ledger.findMany(orders.map(({ orderId }) => orderId))).values()]
    const standing = after.filter(({ status }) => status === 'paid')
    expect(await saleTotals(rig.table, sale.saleId)).toEqual({
      remaining: 100 - 2 * standing.length,
      sold: 2 * standing.length,
      orders: standing.length,
    })
    const due = await dueReleases(rig.table, sale.saleId)
    const lost = after.filter(({ status }) => status === 'cancelled').map(finalOf)
    expect(new Set(due)).toEqual(new Set(lost))
  })
})
