/** The queue of orders in memory. */
import type { OrderMessage } from '../../../core/orders/order-message.ts'
import type { OrderSender } from '../../../functions/buy/complete-admission.ts'
import { outage, type Switchable } from '../../world/outage.ts'

export type MemoryQueue = OrderSender & Switchable & { messages: OrderMessage[] }

export function memoryQueue(): MemoryQueue {
  const light = outage('SQS')
  const messages: OrderMessage[] = []
  return {
    ...light,
    messages,
    async send(message) {
      light.pass()
      messages.push(message)
    },
  }
}
