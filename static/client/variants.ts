/** The sale page of goods with variants: a shopper chooses which of them (N1). */
import { variantSaleMessages } from '../messages/sale-variants.ts'
import { startVoice } from './lib/voice.ts'
import { startSalePage } from './sale/page.ts'
import { totalPrice } from './sale/total-price.ts'
import { variantPicker } from './sale/variant-picker.ts'

const voice = startVoice(variantSaleMessages)
const prices = document.querySelectorAll<HTMLDataElement>('.price data')

startSalePage(voice, (store) => variantPicker(voice, store, totalPrice(voice, prices)))
