/** A queue of payment deadlines in memory. */
import type { PaymentDeadline } from '../../../core/orders/payment-timer-message.ts'
import type { Deadlines } from '../../../functions/orders/deadlines.ts'
import { outage, type Switchable } from '../../world/outage.ts'

export type MemoryDeadlines = Deadlines & Switchable & { messages: PaymentDeadline[] }

export function memoryDeadlines(): MemoryDeadlines {
  const light = outage('SQS')
  const messages: PaymentDeadline[] = []
  return {
    ...light,
    messages,
    async schedule(deadlines) {
      light.pass()
      messages.push(...deadlines)
    },
  }
}
