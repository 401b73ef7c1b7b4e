/**
 * What an order's page says first, as title and in the sentences under it: where the order stands,
 * why, and what that means for the shopper's money.
 */
import type { OrderView } from '../../core/api/shop.ts'
import type { OrderStage } from '../../core/orders/order-stage.ts'
import type { ordersMessages } from '../../templates/messages/catalogues.ts'
import { isBilledFirst } from './bill.ts'

export type OrdersKey = keyof typeof ordersMessages

type Outcome = Pick<OrderView, 'reason' | 'payment'>

/** The key of the title. It may name `n`, the order's units. */
export function titleKeyOf({ status }: Pick<OrderView, 'status'>, stage: OrderStage, isCoupon: boolean): OrdersKey {
  if (stage === 'fulfilled' && isCoupon) return 'coupon.title'
  return `order.title.${stage === 'to-pay' || stage === 'cancelled-paying' ? status : stage}`
}

/**
 * The keys of the sentences under the title. They may name the order's `amount`, the `time` to pay
 * by and `n`, its units. Where it is about money, coupons have words of their own.
 */
export function leadOf(order: Outcome, stage: OrderStage, isCoupon: boolean): OrdersKey[] {
  return (isCoupon ? leadOfCoupons(order, stage) : undefined) ?? leadOfGoods(order, stage)
}

/** The label of the pay button of an order that can be paid; it may name the `amount`. */
export function payKeyOf(
  { delivery, bill }: Pick<OrderView, 'delivery' | 'bill'>,
  stage: OrderStage,
  doing: OrderTask | undefined,
): OrdersKey {
  if (doing === 'pay') return 'order.payBusy'
  if (delivery === 'missing') return isBilledFirst({ bill }) ? 'bill.addressNext' : 'order.addressFirst'
  return stage === 'paying' || stage === 'overtime' ? 'order.payOn' : 'bill.order'
}

function leadOfCoupons(order: Outcome, stage: OrderStage): OrdersKey[] | undefined {
  switch (stage) {
    case 'reserved':
    case 'fulfilled':
      return [`coupon.lead.${stage}`]
    case 'cancelled':
      return [...reasonOf(order), 'coupon.void']
    case 'rejected':
      return order.reason === 'over-limit' ? ['coupon.over-limit'] : reasonOf(order)
    default:
      return undefined
  }
}

function leadOfGoods(order: Outcome, stage: OrderStage): OrdersKey[] {
  switch (stage) {
    case 'cancelled':
    case 'rejected':
      return [...reasonOf(order), 'order.money.none']
    case 'cancelled-paying':
      return [...reasonOf(order), 'order.money.stray']
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

/** What the shop is being asked to do with the order, and no second thing meanwhile. */
export type OrderTask = 'pay' | 'give-back' | 'change-address' | 'erase-address'

export type TaskHandlers = Readonly<Record<OrderTask, () => void>>
