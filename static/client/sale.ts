/** The sale page of goods: what they cost goes with the quantity. */
import { priceOf } from '../../core/money.ts'
import { saleMessages } from '../messages/sale.ts'
import { byId, setText } from './dom.ts'
import { startSalePage } from './sale/page.ts'
import { startVoice } from './voice.ts'

const page = byId('main').dataset
const price = { amount: Number(page.price), currency: page.currency ?? '' }
const voice = startVoice(saleMessages)

startSalePage(voice, (quantity) => {
  const amount = voice.money(priceOf(quantity, price.amount), price.currency)
  const text = quantity === 1 ? amount : voice.t('quantity.total', { amount })
  setText(byId('price', HTMLDataElement), text)
})
