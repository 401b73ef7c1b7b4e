/** A queue in memory. */
import type { Queue } from '../../../functions/buy/complete-admission.ts'
import { outage, type Switchable } from '../../world/outage.ts'

export type MemoryQueue<Message> = Queue<Message> & Switchable & { messages: Message[] }

export function memoryQueue<Message>(): MemoryQueue<Message> {
  const light = outage('SQS')
  const messages: Message[] = []
  return {
    ...light,
    messages,
    async send(message) {
      light.pass()
      messages.push(message)
    },
  }
}
