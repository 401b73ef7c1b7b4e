/** What an order says of its withdrawal, and the button that opens it. */
import type { OrderView } from '../../../core/api/shop.ts'
import type { WithdrawableOrder } from '../../../core/api/withdrawal.ts'
import { parseOrderId, parseSaleId } from '../../../core/ids.ts'
import { parseOrderNumber } from '../../../core/orders/order-number.ts'
import { isBasket } from '../../../core/sale/variants.ts'
import { byId, make } from '../lib/dom.ts'
import { loadModule } from '../lib/load-module.ts'
import { fieldsOf, isNumber } from '../lib/wire.ts'
import { readBilledOrder } from './bill.ts'
import type { OrdersVoice } from './orders-voice.ts'

export type WithdrawableSeen = Pick<
  WithdrawableOrder,
  'orderId' | 'orderNumber' | 'saleId' | 'quantity' | 'basket' | 'withdrawableUntil' | 'withdrawal'
>

/** Loads the script of withdrawals, which also follows the link in the address of the page. */
export const loadWithdrawal = () =>
  loadModule<typeof import('../withdraw.ts')>(byId('main').dataset.withdrawScript ?? '')

/** The order in an answer about one order, with its bill and what it says of its withdrawal. */
export function readOwnOrder(value: unknown): OrderView | undefined {
  const order = readBilledOrder(value)
  return order && { ...order, ...seenIn(value) }
}

/** An order as the link of an e-mail shows it. */
export function readWithdrawable(value: unknown): WithdrawableSeen | undefined {
  const fields = fieldsOf(value) ?? {}
  const orderId = parseOrderId(fields.orderId)
  const saleId = parseSaleId(fields.saleId)
  const orderNumber = parseOrderNumber(fields.orderNumber)
  const { quantity, basket } = fields
  if (orderId === undefined || saleId === undefined || !isNumber(quantity)) return undefined
  return {
    ...{ orderId, saleId, quantity, ...(isBasket(basket) && { basket }) },
    ...(orderNumber !== undefined && { orderNumber }),
    ...seenIn(value),
  }
}

function seenIn(value: unknown): Pick<WithdrawableSeen, 'withdrawableUntil' | 'withdrawal'> {
  const { withdrawableUntil: until, withdrawal } = fieldsOf(value) ?? {}
  const { quantity, basket, at } = fieldsOf(withdrawal) ?? {}
  return {
    ...((until === null || isNumber(until)) && { withdrawableUntil: until }),
    ...(isNumber(quantity) && isNumber(at) && { withdrawal: { quantity, at, ...(isBasket(basket) && { basket }) } }),
  }
}

/** Undefined for an order without such a right, and without a statement. */
export function drawWithdrawal(
  voice: OrdersVoice,
  { withdrawableUntil: until, withdrawal, quantity }: OrderView,
  open: () => void,
): HTMLElement | undefined {
  const isOpen = until !== undefined && withdrawal?.quantity !== quantity
  if (!isOpen && withdrawal === undefined) return undefined
  const said =
    withdrawal === undefined
      ? undefined
      : voice.t('withdrawal.done', { n: withdrawal.quantity, time: voice.farMoment(withdrawal.at) })
  return make(
    'section',
    { class: 'withdrawal' },
    said === undefined ? undefined : make('p', { id: 'withdrawal-done' }, said),
    isOpen
      ? make(
          'button',
          { type: 'button', class: 'button button--plain', id: 'open-withdrawal', click: open },
          voice.t('withdrawal.open'),
        )
      : undefined,
  )
}
