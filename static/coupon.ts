/** Starts the sale page of a coupon, which is free. */
import type { couponSaleMessages } from '../templates/messages/catalogues.ts'
import { couponPatterns } from '../templates/messages/page-patterns.ts'
import { pageVoice } from '../web/page-voice.ts'
import { startSalePage } from './sale/page.ts'
import { quantityChoice } from './sale/quantity.ts'

const voice = await pageVoice<keyof typeof couponSaleMessages>('coupon', couponPatterns)

startSalePage(voice, (store) => quantityChoice(store, () => undefined))
