/** The sale page of a coupon: other words, and any number of them is free. */
import { couponSaleMessages } from '../messages/sale-coupon.ts'
import { startVoice } from './lib/voice.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice } from './sale/quantity.ts'

startSalePage(startVoice(couponSaleMessages), (store) => quantityChoice(store, () => undefined))
