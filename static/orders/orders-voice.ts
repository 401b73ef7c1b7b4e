import type { ordersMessages } from '../../templates/messages/catalogues.ts'
import type { Voice } from '../../web/voice.ts'

/** The texts of the orders page, in the language of the reader. */
export type OrdersVoice = Voice<keyof typeof ordersMessages>
