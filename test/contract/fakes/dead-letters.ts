/** Dead letters in memory. */
import type { DeadLetters } from '../../../functions/lib/reject-to-dlq.ts'
import { darkness, type Switchable } from '../../../simulation/memory/darkness.ts'

export type MemoryDeadLetters = DeadLetters & Switchable & { letters: { body: string; reason: string }[] }

export function memoryDeadLetters(): MemoryDeadLetters {
  const light = darkness('SQS')
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
