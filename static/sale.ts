/** Starts the sale page of goods, whose price follows the quantity. */
import type { saleMessages } from '../templates/messages/catalogues.ts'
import { salePatterns } from '../templates/messages/page-patterns.ts'
import { pageVoice } from '../web/page-voice.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice, totalPrice } from './sale/quantity.ts'

const voice = await pageVoice<keyof typeof saleMessages>('sale', salePatterns)
const prices = document.querySelectorAll<HTMLDataElement>('.price data')

startSalePage(voice, (store) => quantityChoice(store, totalPrice(voice, prices)))
