/** Chooses the title and lead of an order page: its state, the reason, and the effect on the shopper's money. */
import type { OrderView } from '../../core/api/shop.ts'
import type { OrderStage } from '../../core/orders/order-stage.ts'
import type { ordersMessages } from '../../templates/messages/catalogues.ts'
import { isBilledFirst } from './bill.ts'

export type OrdersKey = keyof typeof ordersMessages

type OrderEnd = Pick<OrderView, 'reason' | 'payment'>

/** Returns the key of the title. Its argument `n` is the number of units. */
export function titleKeyOf({ status }: Pick<OrderView, 'status'>, stage: OrderStage, isCoupon: boolean): OrdersKey {
  if (stage === 'fulfilled' && isCoupon) return 'coupon.title'
  return `order.title.${stage === 'to-pay' || stage === 'cancelled-paying' ? status : stage}`
}

/** Returns the keys of the lead. Their arguments are `amount`, the `time` to pay by, and the number of units `n`. */
export function leadOf(order: OrderEnd, stage: OrderStage, isCoupon: boolean): OrdersKey[] {
  return (isCoupon ? leadOfCoupons(order, stage) : undefined) ?? leadOfGoods(order, stage)
}

/** Returns the key of the pay button's label. Its argument is `amount`. */
export function payKeyOf(
  { delivery, bill }: Pick<OrderView, 'delivery' | 'bill'>,
  stage: OrderStage,
  doing: OrderTask | undefined,
): OrdersKey {
  if (doing === 'pay') return 'order.payBusy'
  if (delivery === 'missing') return isBilledFirst({ bill }) ? 'bill.addressNext' : 'order.addressFirst'
  return stage === 'paying' || stage === 'overtime' ? 'order.payOn' : 'bill.order'
}

function leadOfCoupons(order: OrderEnd, stage: OrderStage): OrdersKey[] | undefined {
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

function leadOfGoods(order: OrderEnd, stage: OrderStage): OrdersKey[] {
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

/** The actions on an order, of which one runs at a time. */
export type OrderTask = 'pay' | 'give-back' | 'change-address' | 'erase-address'

export type TaskHandlers = Readonly<Record<OrderTask, () => void>>
