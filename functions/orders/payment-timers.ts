/**
 * The unpaid timer (O8): a message that comes when the time to pay is over names orders. Those still unpaid are
 * cancelled, those with time left get a new message, the others are none of its business any more. SQS delays a
 * message by 15 minutes at most, so a longer window is a chain of messages.
 */
import { readJson } from '../../core/parse.ts'
import { type PaymentDeadline, paymentDeadline } from '../../core/payment-deadline.ts'
import type { QueueMessage } from '../lib/queue-message.ts'
import { type DeadLetters, rejectToDlq } from '../lib/reject-to-dlq.ts'
import { type CancelUnpaidPorts, cancelUnpaid } from './cancel-unpaid.ts'
import { type Deadlines, setTimers } from './deadlines.ts'

export type Ports = CancelUnpaidPorts & { deadlines: Deadlines; deadLetters: DeadLetters }

/**
 * Ids of the messages in `mail` that have to come again; every other message is done. Begins nothing after `deadline`
 * (epoch ms). A message may come twice, late or early: each order is looked at as it stands.
 */
export async function cancelUnpaidOrders(
  ports: Ports,
  mail: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const { messages, unreadable } = await readMessage(ports, mail)
  const now = ports.clock()
  const { due = [], early = [] } = Object.groupBy(messages, ({ at }) => (at <= now ? 'due' : 'early'))
  const named = due.flatMap(({ orderIds }) => orderIds)
  const { later, undecided } = await cancelUnpaid(ports, named, deadline)
  const timers = [
    ...early.flatMap(({ orderIds, at }) => orderIds.map((orderId) => ({ orderId, at }))),
    ...later,
  ]
  const isSet = await setTimers(ports, timers, deadline)
  const open = new Set([...undecided, ...(isSet ? [] : timers.map(({ orderId }) => orderId))])
  const unfinished = messages.filter(({ orderIds }) => orderIds.some((orderId) => open.has(orderId)))
  const comeAgain = [...unreadable, ...unfinished.map(({ messageId }) => messageId)]
  ports.meter.count('MessagesFailed', comeAgain.length)
  return comeAgain
}

type Message = PaymentDeadline & { messageId: string }

/** `unreadable` are messages that nothing can be made of and that could not be put aside either. */
async function readMessage(
  ports: Ports,
  mail: readonly QueueMessage[],
): Promise<{ messages: Message[]; unreadable: string[] }> {
  const messages: Message[] = []
  const unreadable: string[] = []
  for (const one of mail) {
    const { messageId } = one
    const read = readJson(paymentDeadline, one.body)
    if (read.ok) messages.push({ messageId, ...read.value })
    else if (!(await rejectToDlq(ports, one, read.detail))) unreadable.push(messageId)
  }
  return { messages, unreadable }
}
