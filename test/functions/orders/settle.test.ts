/** Authorised money: captured for an order that can be paid, released for any other, once. */
import { describe, expect, it } from 'vitest'
import { paymentIdOf } from '../../../core/orders/order-life.ts'
import type { PaymentEvent } from '../../../core/orders/payment-event.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { receivePaymentEvent } from '../../../functions/orders/payment-events.ts'
import { settleAuthorisation } from '../../../functions/orders/settle.ts'
import type { Timed } from '../../../functions/recovery/ports.ts'
import { requestRefunds } from '../../../functions/repair/jobs/retry-payments.ts'
import { addAuthorisation, dueAuthorisations, dueRefunds } from '../../../functions/table/orders/due-money.ts'
import { aSale, orderIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { openSales } from '../../world/open-sale.ts'

const redis = useRedis()

async function oneOrder() {
  const sale = aSale({ stock: 2, limitPerShopper: 1, maxPerOrder: 1 })
  const rig = await openSales(redis, [sale])
  const [orderId = orderIdOf(sale.saleId, 1, 1)] = await rig.writeEach(sale, 1)
  await changeOrder(rig.ports, orderId, { kind: 'payment-started', graceMs: 0 })
  const paymentId = paymentIdOf({ orderId }, 1)
  const authorised: PaymentEvent = {
    type: 'payment.authorised',
    data: { orderId, paymentId, amount: 10, currency: 'CNY', reference: 'pi_1' },
  }
  const receive = (event = authorised, eventId: string = event.type) =>
    receivePaymentEvent(rig.ports, event, { eventId, digest: eventId, receivedAt: rig.clock.now })
  const { data } = authorised
  return { ...rig, sale, orderId, paymentId, authorised, receive, due: { ...data, requestedAt: 7_000 } }
}

describe('an authorisation', () => {
  it('is captured for an order that awaits it, and the answer makes the order paid (O8)', async () => {
    const { find, receive, settled, orderId, paymentId, table, telemetry } = await oneOrder()
    expect(await receive()).toBe('done')
    expect(settled.get(paymentId)).toBe('captured')
    expect(await find(orderId)).toMatchObject({ status: 'paid', payment: { reference: 'pi_1' } })
    expect(await dueAuthorisations(table.table)).toEqual([])
    expect(telemetry.counted('OrdersPaid')).toBe(1)
    expect(await receive()).toBe('repeat')
    expect(telemetry.counted('OrdersPaid')).toBe(1)
  })

  it('is released for an order that was cancelled before, and not refunded', async () => {
    const { ports, find, receive, settled, orderId, paymentId, table, asked } = await oneOrder()
    await changeOrder(ports, orderId, { kind: 'cancelled-by-shopper' })
    expect(await receive()).toBe('done')
    expect(settled.get(paymentId)).toBe('released')
    expect(await find(orderId)).toMatchObject({ status: 'cancelled', reason: 'by-shopper' })
    expect(await dueAuthorisations(table.table)).toEqual([])
    expect(asked).toEqual([])
  })

  it('is released for an order that does not exist', async () => {
    const { receive, settled, authorised, sale, table } = await oneOrder()
    const orderId = orderIdOf(sale.saleId, 9, 9)
    const data = { ...authorised.data, orderId, paymentId: 'stray' }
    expect(await receive({ ...authorised, data })).toBe('done')
    expect(settled.get('stray')).toBe('released')
    expect(await dueAuthorisations(table.table)).toEqual([])
  })

  it('stays due while the provider is unavailable, and its event is delivered again (I5)', async () => {
    const { find, receive, settled, orderId, paymentId, table, provider } = await oneOrder()
    provider.goDown()
    await expect(receive()).rejects.toThrow('the payment provider')
    expect(await find(orderId)).toMatchObject({ payment: { state: 'authorised' } })
    expect(await dueAuthorisations(table.table)).toMatchObject([{ paymentId, orderId, reference: 'pi_1' }])
    provider.comeUp()
    expect(await receive()).toBe('repeat')
    expect(settled.get(paymentId)).toBe('captured')
    expect((await find(orderId)).status).toBe('paid')
  })

  it('is released once its order is cancelled because it could not be captured', async () => {
    const { ports, find, receive, settled, orderId, due, table, clock, provider } = await oneOrder()
    provider.goDown()
    await expect(receive()).rejects.toThrow('the payment provider')
    provider.comeUp()
    clock.now = (await find(orderId)).cancelAt - 1
    await settleAuthorisation(ports, due)
    expect(settled.size, 'too late to capture, too early to release').toBe(0)
    clock.now = (await find(orderId)).cancelAt
    await changeOrder(ports, orderId, { kind: 'payment-window-over' })
    await settleAuthorisation(ports, due)
    expect(settled.get(due.paymentId)).toBe('released')
    expect((await find(orderId)).status).toBe('cancelled')
    expect(await dueAuthorisations(table.table)).toEqual([])
  })

  it('that was captured without an answer is refunded when its order was cancelled since', async () => {
    const { ports, find, settled, orderId, due, table, asked } = await oneOrder()
    await changeOrder(ports, orderId, { kind: 'cancelled-by-shopper' })
    await addAuthorisation(table.table, due)
    settled.set(due.paymentId, 'captured')
    await settleAuthorisation(ports, due)
    expect((await find(orderId)).status).toBe('refund-due')
    expect(asked).toMatchObject([{ paymentId: due.paymentId, amount: 10, reference: 'pi_1' }])
    expect(await dueAuthorisations(table.table)).toEqual([])
  })

  it('that the provider has given up lets the shopper pay again', async () => {
    const { find, receive, settled, orderId, paymentId } = await oneOrder()
    settled.set(paymentId, 'released')
    await receive()
    expect(await find(orderId)).toMatchObject({ status: 'awaiting-payment', payment: { state: 'failed' } })
  })
})

describe('a refund that the bank returned', () => {
  it('is noted at its order and reported once, and no money is sent again by itself (O9)', async () => {
    const { find, receive, orderId, authorised, table, asked, ports, telemetry } = await oneOrder()
    await receive()
    await changeOrder(ports, orderId, { kind: 'refunded-by-marketer' })
    await receive({ ...authorised, type: 'refund.succeeded' })
    const failed: PaymentEvent = { ...authorised, type: 'refund.failed' }
    await receive(failed)
    await receive(failed)
    const { status, history } = await find(orderId)
    expect(status).toBe('refunded')
    expect(history.filter(({ what }) => what === 'refund-failed')).toHaveLength(1)
    expect(telemetry.counted('RefundMismatch')).toBe(1)
    expect(asked).toHaveLength(1)
    expect(await dueRefunds(table.table)).toEqual([])
  })
})

describe('a refund that was pending until the bank returned it', () => {
  const returned = async () => {
    const rig = await oneOrder()
    const { receive, ports, orderId, authorised } = rig
    await receive()
    await changeOrder(ports, orderId, { kind: 'refunded-by-marketer' })
    const failed: PaymentEvent = { ...authorised, type: 'refund.failed' }
    const askAgain = () => requestRefunds({ ...ports, deadline: Infinity } as Timed, 0)
    return { ...rig, failed, askAgain }
  }

  it('is not asked for again every minute, and is marked at its order (O9)', async () => {
    const { find, receive, orderId, asked, failed, askAgain, clock } = await returned()
    expect(await askAgain()).toBe(1)
    await receive(failed)
    expect(await askAgain()).toBe(0)
    expect(asked).toHaveLength(2)
    const order = await find(orderId)
    expect(order).toMatchObject({ status: 'refund-due', refunds: [{ returned: 0, failedAt: clock.now }] })
  })

  it('stays marked when a part of it goes back after all, and only a person asks for the rest (O9)', async () => {
    const { find, receive, orderId, authorised, askAgain, failed } = await returned()
    await receive(failed)
    const part: PaymentEvent = { type: 'refund.succeeded', data: { ...authorised.data, amount: 4 } }
    await receive(part)
    expect(await find(orderId)).toMatchObject({ refunds: [{ returned: 4, failedAt: expect.any(Number) }] })
    expect(await askAgain()).toBe(0)
  })

  it('is not asked for again for an order that does not exist (O9)', async () => {
    const { receive, sale, authorised, askAgain, asked } = await returned()
    const data = { ...authorised.data, orderId: orderIdOf(sale.saleId, 9, 9), paymentId: 'stray' }
    const before = asked.length
    await receive({ type: 'payment.succeeded', data }, 'stray-1')
    await receive({ type: 'refund.failed', data }, 'stray-2')
    await askAgain()
    expect(asked.slice(before).filter(({ paymentId }) => paymentId === 'stray')).toHaveLength(1)
  })
})

describe('a dispute', () => {
  it('is noted at its order, and reported once', async () => {
    const { find, receive, orderId, authorised, telemetry } = await oneOrder()
    await receive()
    const disputed: PaymentEvent = { ...authorised, type: 'payment.disputed' }
    await receive(disputed)
    await receive(disputed)
    const { status, history } = await find(orderId)
    expect(status).toBe('paid')
    expect(history.filter(({ what }) => what === 'payment-disputed')).toHaveLength(1)
    expect(telemetry.counted('PaymentDisputed')).toBe(1)
  })

  it('that is lost returns the units of an order that was not sent, once (I5)', async () => {
    const { find, receive, orderId, authorised, telemetry, asked } = await oneOrder()
    await receive()
    await receive({ ...authorised, type: 'payment.disputed' })
    const lost: PaymentEvent = { ...authorised, type: 'dispute.lost' }
    expect(await receive(lost)).toBe('done')
    expect(await receive(lost)).toBe('repeat')
    expect(await find(orderId)).toMatchObject({ status: 'refunded', dispute: { state: 'lost' } })
    expect([telemetry.counted('RefundMismatch'), asked]).toEqual([0, []])
  })

  it('that is reported before its payment keeps late money from going back on two ways, until it is won', async () => {
    const { ports, find, receive, orderId, authorised, table, asked } = await oneOrder()
    await changeOrder(ports, orderId, { kind: 'cancelled-by-shopper' })
    await receive({ ...authorised, type: 'payment.disputed' })
    await receive({ ...authorised, type: 'payment.succeeded' })
    expect(await find(orderId)).toMatchObject({ status: 'refund-due', dispute: { state: 'open' } })
    expect([asked, await dueRefunds(table.table)]).toEqual([[], []])
    await receive({ ...authorised, type: 'dispute.won' })
    expect(await dueRefunds(table.table)).toMatchObject([{ amount: 10 }])
  })
})
