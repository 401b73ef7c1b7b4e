/** A queue in memory. */
import type { Queue } from '../../../functions/buy/dispatch.ts'
import { darkness, type Switchable } from '../../../simulation/memory/darkness.ts'

export type MemoryQueue<Message> = Queue<Message> & Switchable & { messages: Message[] }

export function memoryQueue<Message>(): MemoryQueue<Message> {
  const light = darkness('SQS')
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
