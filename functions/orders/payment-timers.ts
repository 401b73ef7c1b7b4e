/**
 * Consumes unpaid timers (O8): a message names orders whose time to pay is over. Orders still
 * unpaid are cancelled, those with time left get a new message, the others are done. SQS delays a
 * message by at most 15 minutes, so a longer time to pay is a chain of messages.
 */
import { readJson } from '../../core/lib/parse.ts'
import { type PaymentDeadline, paymentDeadline } from '../../core/orders/payment-timer-message.ts'
import { type DeadLetters, type QueueMessage, rejectToDlq } from '../lib/queue-consumer.ts'
import { type CancelUnpaidPorts, cancelUnpaid } from './cancel-unpaid.ts'
import { type Deadlines, setTimers } from './deadlines.ts'

export type PaymentTimerPorts = CancelUnpaidPorts & { deadlines: Deadlines; deadLetters: DeadLetters }

/**
 * The ids of the messages that must be redelivered; every other message is done. Begins nothing after `deadline` (epoch
 * ms). A message may arrive twice, late or early: each order is judged by its current state.
 */
export async function cancelUnpaidOrders(
  ports: PaymentTimerPorts,
  batch: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const { messages, unreadable } = await readMessages(ports, batch)
  const now = ports.clock()
  const { due = [], early = [] } = Object.groupBy(messages, ({ at }) => (at <= now ? 'due' : 'early'))
  const named = due.flatMap(({ orderIds }) => orderIds)
  const { later, undecided } = await cancelUnpaid(ports, named, deadline)
  const timers = [...early.flatMap(({ orderIds, at }) => orderIds.map((orderId) => ({ orderId, at }))), ...later]
  const isSet = await setTimers(ports, timers, deadline)
  const open = new Set([...undecided, ...(isSet ? [] : timers.map(({ orderId }) => orderId))])
  const unfinished = messages.filter(({ orderIds }) => orderIds.some((orderId) => open.has(orderId)))
  const comeAgain = [...unreadable, ...unfinished.map(({ messageId }) => messageId)]
  ports.meter.count('MessagesFailed', comeAgain.length)
  return comeAgain
}

type Message = PaymentDeadline & { messageId: string }

/** `unreadable` are messages that could be neither parsed nor moved to the dead-letter queue. */
async function readMessages(
  ports: PaymentTimerPorts,
  batch: readonly QueueMessage[],
): Promise<{ messages: Message[]; unreadable: string[] }> {
  const messages: Message[] = []
  const unreadable: string[] = []
  for (const message of batch) {
    const { messageId } = message
    const read = readJson(paymentDeadline, message.body)
    if (read.ok) messages.push({ messageId, ...read.value })
    else if (!(await rejectToDlq(ports, message, read.detail))) unreadable.push(messageId)
  }
  return { messages, unreadable }
}
