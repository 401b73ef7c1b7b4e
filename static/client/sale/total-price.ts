/** The price on the page of goods goes with the quantity. */
import { priceOf } from '../../../core/money.ts'
import type { saleMessages } from '../../messages/sale.ts'
import { byId, setText } from '../dom.ts'
import type { Voice } from '../voice.ts'

/** Answers with what writes the price of so many units; that of one while there are none. */
export function totalPrice(voice: Voice<keyof typeof saleMessages>): (quantity: number) => void {
  const page = byId('main').dataset
  const place = byId('price', HTMLDataElement)
  return (quantity) => {
    const units = Math.max(1, quantity)
    const amount = voice.money(priceOf(units, Number(page.price)), page.currency ?? '')
    setText(place, units === 1 ? amount : voice.t('quantity.total', { amount }))
  }
}
