import type { ordersMessages } from '../../messages/catalogues.ts'
import type { Voice } from '../lib/voice.ts'

/** The texts of the orders page, in the language of the reader. */
export type OrdersVoice = Voice<keyof typeof ordersMessages>
