/** What an order's page says first: where the order stands, why, and what that means for the shopper's money. */
import type { OrderView } from '../../../core/order.ts'
import type { ordersMessages } from '../../messages/orders.ts'
import type { OrderStage } from './stage.ts'

export type OrdersKey = keyof typeof ordersMessages

/** The keys of the sentences under the title. They may name the order's `amount` and the `time` to pay by. */
export function leadOf(order: Pick<OrderView, 'reason' | 'payment'>, stage: OrderStage): OrdersKey[] {
  switch (stage) {
    case 'cancelled':
      return [...reasonOf(order), order.payment === 'started' ? 'order.money.stray' : 'order.money.none']
    case 'rejected':
      return [...reasonOf(order), 'order.money.none']
    case 'refund-due':
      return [...reasonOf(order), 'order.money.due']
    case 'refunded':
      return [...reasonOf(order), 'order.money.back']
    default:
      return [`order.lead.${stage}`]
  }
}

function reasonOf({ reason }: Pick<OrderView, 'reason'>): OrdersKey[] {
  return reason === undefined ? [] : [`order.reason.${reason}`]
}
