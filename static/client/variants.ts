/** The sale page of goods with variants: a shopper chooses which of them (N1). */
import { variantPatterns } from '../messages/page-patterns.ts'
import type { variantSaleMessages } from '../messages/sale-variants.ts'
import { startSalePage } from './sale/page.ts'
import { saleVoice } from './sale/sale-voice.ts'
import { totalPrice } from './sale/total-price.ts'
import { variantPicker } from './sale/variant-picker.ts'

const voice = await saleVoice<keyof typeof variantSaleMessages>(variantPatterns)
const prices = document.querySelectorAll<HTMLDataElement>('.price data')

startSalePage(voice, (store) => variantPicker(voice, store, totalPrice(voice, prices)))
