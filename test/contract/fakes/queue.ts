/** Queues in memory: of orders, of payment deadlines, and of dead letters. */
import type { OrderMessage } from '../../../core/orders/order-message.ts'
import type { Sqs } from '../../../functions/entries/adapters/sqs.ts'
import type { PaymentDeadline } from '../../../functions/orders/deadlines.ts'
import { outage } from '../../world/outage.ts'

export type MemoryQueue = ReturnType<typeof memoryQueue>

/** Messages that were sent to a queue, and a function that sends more. */
function memorySqs<Message>() {
  const light = outage('SQS')
  const messages: Message[] = []
  const send = async (...sent: readonly Message[]) => {
    light.pass()
    messages.push(...sent)
  }
  return { ...light, messages, send }
}

export const memoryQueue = () => memorySqs<OrderMessage>()

export function memoryDeadlines() {
  const { send, ...queue } = memorySqs<PaymentDeadline>()
  return { ...queue, schedule: (deadlines: readonly PaymentDeadline[], _now: number) => send(...deadlines) }
}

export function memoryDeadLetters() {
  const { send, messages: letters, ...light } = memorySqs<{ body: string; reason: string }>()
  return { ...light, letters, put: (body: string, reason: string) => send({ body, reason }) }
}

/** An SQS that accepts the request and rejects each of its messages, as it does when it is overloaded. */
export const refusingSqs: Sqs = async ({ input }) => {
  const entries: { Id?: string | undefined }[] = 'Entries' in input ? (input.Entries ?? []) : []
  return { Failed: entries.map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' })) }
}
