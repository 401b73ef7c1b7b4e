/** The sale page of a coupon: other words, and any number of them is free. */
import { couponSaleMessages } from '../messages/sale-coupon.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice } from './sale/quantity.ts'
import { startVoice } from './voice.ts'

startSalePage(startVoice(couponSaleMessages), (store) => quantityChoice(store, () => undefined))
