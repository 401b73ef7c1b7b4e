/** The sale page of goods with variants: a shopper chooses which of them (N1). */
import { variantSaleMessages } from '../messages/sale-variants.ts'
import { startSalePage } from './sale/page.ts'
import { totalPrice } from './sale/total-price.ts'
import { variantPicker } from './sale/variant-picker.ts'
import { startVoice } from './voice.ts'

const voice = startVoice(variantSaleMessages)
const prices = document.querySelectorAll<HTMLDataElement>('.price data')

startSalePage(voice, (store) => variantPicker(voice, store, totalPrice(voice, prices)))
