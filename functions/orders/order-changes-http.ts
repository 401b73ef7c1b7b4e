/** `POST /api/orders/{orderId}/pay` and `/cancel`, in a separate function: reads of orders take no capacity from payments. */
import type { AnswerOf } from '../../core/api/operation.ts'
import { type OrderView, shopApi } from '../../core/api/shop.ts'
import type { OrderId, ShopperId } from '../../core/ids.ts'
import type { OrderStatus } from '../../core/orders/order.ts'
import { problem } from '../../core/outcome.ts'
import { type HttpAnswer, notFound, problemAnswer } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { type ChangeOrderPorts, changeOrder } from './change-orders.ts'
import { findOwnOrder, writtenOrderView } from './own-order.ts'
import { type PayPorts, type PayResult, payOrder } from './pay.ts'

const routes = [
  on(shopApi.pay, async (ports: PayPorts, { caller, params, body }) =>
    payAnswer(await payOrder(ports, caller.shopperId, params.orderId, body.language), ports.clock()),
  ),
  on(shopApi.cancel, (ports: PayPorts, { caller, params }) => cancelOrder(ports, caller.shopperId, params.orderId)),
]

export const orderChangesApp = (ports: PayPorts) => createApp(ports, routes, forShoppers)

function payAnswer(result: PayResult, now: number): AnswerOf<typeof shopApi.pay> | HttpAnswer {
  switch (result.kind) {
    case 'started':
      return { url: result.url, paymentId: result.paymentId }
    case 'waiting':
      return paymentQueued(Math.ceil((result.opensAt - now) / 1000))
    case 'no-order':
      return notFound()
    case 'not-written':
      return notWritten()
    case 'too-late':
      return problemAnswer(problem('conflict', 'The time to pay this order is over.'))
    case 'being-captured':
      return problemAnswer(problem('conflict', 'Your payment is being confirmed.', { retryAfterSeconds: 10 }))
    case 'no-address':
      return problemAnswer(problem('conflict', 'Say first where to send it.', { field: 'delivery' }))
    case 'refused':
      return problemAnswer(problem('conflict', `${statusSentences[result.status]} It cannot be paid.`))
  }
}

function paymentQueued(seconds: number): HttpAnswer {
  const retryAfterSeconds = Math.max(1, seconds)
  const detail = `Many are paying now: your payment page opens in about ${retryAfterSeconds} s. Ask again then.`
  return problemAnswer(problem('at-capacity', detail, { retryAfterSeconds }))
}

/** The consumer of the queue normally writes an order within two seconds. */
function notWritten(): HttpAnswer {
  const detail = 'The order is reserved for you and is being written. Try again in a second.'
  return problemAnswer(problem('conflict', detail, { retryAfterSeconds: 1 }))
}

const statusSentences: Readonly<Record<OrderStatus, string>> = {
  reserved: 'The order is reserved.',
  'awaiting-payment': 'The order is awaiting payment.',
  paid: 'The order is paid.',
  fulfilled: 'The order is fulfilled: there was nothing to pay.',
  cancelled: 'The order is cancelled.',
  rejected: 'The order is rejected: it never stood.',
  'refund-due': 'The order is refund-due: its money is on the way back.',
  refunded: 'The order is refunded.',
  shipped: 'The order is shipped.',
  delivered: 'The order is delivered.',
}

/** Cancels the order. Idempotent. @throws what the table throws */
async function cancelOrder(
  ports: ChangeOrderPorts,
  shopperId: ShopperId,
  orderId: OrderId,
): Promise<OrderView | HttpAnswer> {
  const own = await findOwnOrder(ports, shopperId, orderId)
  if (own === undefined) return notFound()
  if (own.kind === 'reserved') return notWritten()
  const changed = await changeOrder(ports, orderId, { kind: 'cancelled-by-shopper' })
  if (changed.kind === 'refused')
    return problemAnswer(problem('conflict', `${statusSentences[changed.order.status]} It cannot be cancelled.`))
  if (changed.kind !== 'moved' && changed.kind !== 'same') {
    throw new Error(`${orderId} answered its cancellation with ${changed.kind}`)
  }
  return writtenOrderView(changed.order)
}
