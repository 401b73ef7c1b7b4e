/** Payments by each provider: repeats, failures, a deadline, a late payment (O8, I5). */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import type { OrderStatus } from '../../core/orders/order.ts'
import { providerNames } from '../../functions/orders/payments/choose.ts'
import type { Stack } from '../../local/stack.ts'
import { openSystem, type System } from '../../proof/bench/system.ts'
import { startDescribedStack } from '../described-stack.ts'
import { buyWhenAdmitted, call, control, eventually, placeOrder, writtenOrder } from './support.ts'

let stack: Stack
let behind: System

type Bought = Awaited<ReturnType<typeof placeOrder>>

/** One shopper with a written order in a sale of one unit. */
const bought = (change: Record<string, unknown> = {}) => placeOrder(stack, 'ann', { stock: 1, ...change })

const startPayment = ({ orderId, token }: Bought) =>
  call<{ url: string; paymentId: string }>(stack, `/api/orders/${orderId}/pay`, { token, body: {} })

/** Presses a button on the provider's page, as the shopper's browser would. */
async function press(url: string, choice: 'pay' | 'fail' | 'later'): Promise<void> {
  const page = new URL(url, stack.url)
  const answer = await fetch(page, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: stack.url },
    body: `choice=${choice}`,
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
}

const orderWhen = ({ orderId, token }: Bought, status: OrderStatus) =>
  eventually(async () => {
    const { body } = await call<OrderView>(stack, `/api/orders/${orderId}`, { token })
    return body.status === status ? (body as OrderView) : undefined
  })

describe.each(providerNames)('a payment by %s', (provider) => {
  beforeAll(async () => {
    stack = await startDescribedStack({ demo: false, payments: provider })
    behind = await openSystem(stack.url)
  })
  afterEach(() => stack.payments.behave({ hold: false, copies: 1, delayMs: 0 }))
  afterAll(async () => {
    behind.close()
    await stack.stop()
  })

  it('is made on the provider’s page and makes the order paid once, also after repeated reports (I5)', async () => {
    stack.payments.behave({ copies: 3 })
    const order = await bought()
    const first = await startPayment(order)
    expect(first.status).toBe(200)
    expect((await startPayment(order)).body).toEqual(first.body)
    await press(first.body.url, 'pay')
    const paid = await orderWhen(order, 'paid')
    await sleep(500)
    expect((await orderWhen(order, 'paid')).history).toEqual(paid.history)
    expect(paid.history.map(({ what }) => what)).toEqual([
      'reserved',
      'written',
      'payment-started',
      'payment-authorised',
      'payment-succeeded',
    ])
    const late = await call(stack, `/api/orders/${order.orderId}/cancel`, { token: order.token, body: {} })
    expect(late.status, 'a paid order cannot be cancelled').toBe(409)
  })

  it('that failed may be tried again (O8)', async () => {
    const order = await bought()
    const first = await startPayment(order)
    await press(first.body.url, 'fail')
    if (provider === 'stripe') {
      // A declined shopper tries again on the same page.
      await press(first.body.url, 'pay')
      await orderWhen(order, 'paid')
      return
    }
    await eventually(async () => {
      const { payment } = await orderWhen(order, 'awaiting-payment')
      return payment === 'failed' ? true : undefined
    })
    const second = await startPayment(order)
    expect(second.body.paymentId).not.toBe(first.body.paymentId)
    await press(second.body.url, 'pay')
    await orderWhen(order, 'paid')
  })

  it('that arrives after the cancellation is released, and the unit stays with its new owner (O8, O9, I1)', async () => {
    stack.payments.behave({ hold: true })
    const order = await bought({ paymentWindowSeconds: 30, paymentGraceSeconds: 0 })
    const { body } = await startPayment(order)
    await press(body.url, 'pay')
    await orderWhen(order, 'cancelled')

    const bob = await stack.token('bob')
    const next = await eventually(async () => {
      const answer = await buyWhenAdmitted(stack, order.saleId, { token: bob, startToken: order.startToken })
      return answer.status === 202 ? answer : undefined
    })
    const other: Bought = { ...order, orderId: next.body.orderId, token: bob }
    await writtenOrder(stack, other.orderId, bob)
    const { body: toPay } = await startPayment(other)

    stack.payments.behave({ hold: false })
    await eventually(async () => {
      const page = await (await fetch(new URL(body.url, stack.url))).text()
      return page.includes('data-stage="released"') ? true : undefined
    })
    const { status, history } = await orderWhen(order, 'cancelled')
    expect(history.at(-1)).toMatchObject({ what: 'payment-window-over', status })
    await press(toPay.url, 'pay')
    await orderWhen(other, 'paid')
    const snapshot = await behind.stockSnapshot(order.saleId)
    expect(snapshot).toMatchObject({ total: 1, booked: 1 })
    expect(snapshot.holds.map(({ orderId }) => orderId)).toEqual([other.orderId])
  })

  it('refunded by the marketer goes back to the shopper, and the unit to the sale (O9, G7)', async () => {
    const order = await bought()
    await press((await startPayment(order)).body.url, 'pay')
    await orderWhen(order, 'paid')
    await control(stack, `/orders/${order.orderId}/refund`, {})
    expect((await orderWhen(order, 'refunded')).reason).toBe('by-marketer')
    await control(stack, `/orders/${order.orderId}/refund`, {})
    expect((await behind.stockSnapshot(order.saleId)).holds).toEqual([])
    const again = await eventually(async () => {
      const answer = await buyWhenAdmitted(stack, order.saleId, {
        token: await stack.token('bob'),
        startToken: order.startToken,
      })
      return answer.status === 202 ? answer : undefined
    })
    expect(again.body.remaining).toBe(0)
  })
})
