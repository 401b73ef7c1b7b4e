/** A queue in memory. */
import type { OrderMessage } from '../../../core/order-message.ts'
import type { OrderQueue } from '../../../functions/reserve/reserve.ts'
import { darkness, type Switchable } from './darkness.ts'

export type MemoryQueue = OrderQueue & Switchable & { messages: OrderMessage[] }

export function memoryQueue(): MemoryQueue {
  const light = darkness('SQS')
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
