/** The sale page of a coupon: other words, and any number of them is free. */
import type { couponSaleMessages } from '../messages/catalogues.ts'
import { couponPatterns } from '../messages/page-patterns.ts'
import { pageVoice } from './lib/page-voice.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice } from './sale/quantity.ts'

const voice = await pageVoice<keyof typeof couponSaleMessages>('coupon', couponPatterns)

startSalePage(voice, (store) => quantityChoice(store, () => undefined))
