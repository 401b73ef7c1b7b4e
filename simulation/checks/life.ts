/** Whether orders lived as they may (O8), and every cent is where it belongs. */
import type { Order } from '../../core/order.ts'
import { transitions } from '../../core/order-life.ts'
import type { World } from '../world.ts'

/** Steps that the table of transitions does not name: the first record, and money that comes or goes back without changing the status. */
const otherSteps = new Set(['written', 'rejected', 'other-money-received', 'money-returned'])

/** Each step of an order's life was allowed, and none was taken from a shopper who still had time to pay. */
export function checkLife({ violated }: World, { orderId, history, payBy, reason }: Order): void {
  for (const [index, { at, what, status }] of history.entries()) {
    const before = history[index - 1]?.status
    const next = before === undefined || !isLifeEvent(what) ? status : transitions[what][before]
    if (next !== status || (before !== undefined && !isLifeEvent(what) && !otherSteps.has(what))) {
      violated(`${orderId} went from ${before} to ${status} by ${what} (O8)`)
    }
    if (reason === 'unpaid' && status === 'cancelled' && at < payBy) {
      violated(`${orderId} was cancelled as unpaid ${payBy - at} ms too early (O8)`)
    }
  }
}

const isLifeEvent = (what: string): what is keyof typeof transitions => what in transitions

/** Every cent is with us for a paid order, or it went back, once. */
export function checkMoney({ provider, violated }: World, orders: readonly Order[]): void {
  const paid = new Map(
    orders.filter(({ status }) => status === 'paid').map((order) => [order.payment?.paymentId, order]),
  )
  for (const { paymentId, received, refunded } of provider.accounts.values()) {
    const order = paid.get(paymentId)
    const should = order === undefined ? received : 0
    if (refunded !== should) {
      violated(`${received} came with ${paymentId}, ${refunded} went back and should be ${should} (money)`)
    }
    if (order !== undefined && received !== order.amount) {
      violated(`${order.orderId} is paid with ${received} and costs ${order.amount} (money)`)
    }
    paid.delete(paymentId)
  }
  for (const { orderId } of paid.values()) violated(`${orderId} is paid and no money came (money)`)
}
