/** Dead letters in memory. */
import type { DeadLetters } from '../../../functions/lib/queue-consumer.ts'
import { outage, type Switchable } from '../../world/outage.ts'

export type MemoryDeadLetters = DeadLetters & Switchable & { letters: { body: string; reason: string }[] }

export function memoryDeadLetters(): MemoryDeadLetters {
  const light = outage('SQS')
  const letters: MemoryDeadLetters['letters'] = []
  return {
    ...light,
    letters,
    async put(body, reason) {
      light.pass()
      letters.push({ body, reason })
    },
  }
}
