/** The sale page of a coupon: other words, and any number of them is free. */
import { couponPatterns } from '../messages/page-patterns.ts'
import type { couponSaleMessages } from '../messages/sale-coupon.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice } from './sale/quantity.ts'
import { saleVoice } from './sale/sale-voice.ts'

const voice = await saleVoice<keyof typeof couponSaleMessages>(couponPatterns)

startSalePage(voice, (store) => quantityChoice(store, () => undefined))
