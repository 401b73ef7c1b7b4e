/** Starts the sale page of goods with variants (N1). */
import type { variantSaleMessages } from '../templates/messages/catalogues.ts'
import { variantPatterns } from '../templates/messages/page-patterns.ts'
import { pageVoice } from '../web/page-voice.ts'
import { startSalePage } from './sale/page.ts'
import { totalPrice } from './sale/quantity.ts'
import { variantPicker } from './sale/variant-picker.ts'

const voice = await pageVoice<keyof typeof variantSaleMessages>('variants', variantPatterns)
const prices = document.querySelectorAll<HTMLDataElement>('.price data')

startSalePage(voice, (store) => variantPicker(voice, store, totalPrice(voice, prices)))
