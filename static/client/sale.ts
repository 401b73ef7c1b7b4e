/** The sale page of goods: what they cost goes with the quantity. */
import { salePatterns } from '../messages/page-patterns.ts'
import type { saleMessages } from '../messages/sale.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice } from './sale/quantity.ts'
import { saleVoice } from './sale/sale-voice.ts'
import { totalPrice } from './sale/total-price.ts'

const voice = await saleVoice<keyof typeof saleMessages>(salePatterns)
const prices = document.querySelectorAll<HTMLDataElement>('.price data')

startSalePage(voice, (store) => quantityChoice(store, totalPrice(voice, prices)))
