/** The sale page of goods: what they cost goes with the quantity. */
import { saleMessages } from '../messages/sale.ts'
import { startVoice } from './lib/voice.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice } from './sale/quantity.ts'
import { totalPrice } from './sale/total-price.ts'

const voice = startVoice(saleMessages)
const prices = document.querySelectorAll<HTMLDataElement>('.price data')

startSalePage(voice, (store) => quantityChoice(store, totalPrice(voice, prices)))
