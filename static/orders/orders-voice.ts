import type { ordersMessages } from '../../templates/messages/catalogues.ts'
import type { Voice } from '../../web/voice.ts'

/** The translator of the orders page. */
export type OrdersVoice = Voice<keyof typeof ordersMessages>
