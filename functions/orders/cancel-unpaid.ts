/**
 * Cancels orders whose time to pay is over (O8).
 *
 * Timer messages name the orders. An order that is still unpaid is cancelled; an order with time left gets a new message.
 * SQS delays a message by at most 15 minutes, so a longer time to pay needs a chain of messages.
 */
import type { OrderId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { type DeadLetters, type QueueMessage, rejectToDlq } from '../lib/queue-consumer.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { orderIdsOf } from '../table/orders/orders.ts'
import { type ChangeOrderPorts, changeOrders } from './change-orders.ts'
import { type Deadlines, type PaymentDeadline, paymentDeadline, setTimers, type Timer } from './deadlines.ts'

/**
 * `cancelled` counts orders. `later`: there is still time to pay, until `at`. `undecided`: unchanged, because the table
 * is unavailable or busy, time ran out, or the order cannot be written.
 */
export type UnpaidCancelled = { cancelled: number; later: readonly Timer[]; undecided: readonly OrderId[] }

/**
 * Cancels the orders in `orderIds` whose time to pay is over. Starts no transaction after `deadline` (epoch ms). Never
 * throws. An order that is not written yet is in neither `later` nor `undecided`.
 */
export async function cancelUnpaid(
  ports: ChangeOrderPorts,
  orderIds: readonly OrderId[],
  deadline: number,
): Promise<UnpaidCancelled> {
  const results = [...(await changeOrders(ports, orderIds, { kind: 'payment-window-over' }, { deadline }))]
  const failed = results.flatMap(([orderId, result]) => (result.kind === 'failed' ? [{ ...result, orderId }] : []))
  for (const [error, ofError] of Map.groupBy(failed, (one) => one.error)) {
    ports.log.warn('unpaid orders not cancelled', { orderIds: orderIdsOf(ofError), ...errorFacts(error) })
  }
  return {
    cancelled: results.filter(([, { kind }]) => kind === 'moved').length,
    later: results.flatMap(([orderId, result]) => (result.kind === 'not-yet' ? [{ orderId, at: result.at }] : [])),
    undecided: orderIdsOf(failed),
  }
}

export type PaymentTimerPorts = ChangeOrderPorts & { deadlines: Deadlines; deadLetters: DeadLetters }

/**
 * Handles timer messages and resolves with the ids of the messages to redeliver. Starts no transaction after `deadline`
 * (epoch ms). A message may arrive twice, late or early: the current state of each order decides.
 */
export async function handlePaymentTimers(
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
  const redeliver = [...unreadable, ...unfinished.map(({ messageId }) => messageId)]
  ports.meter.count('MessagesFailed', redeliver.length)
  return redeliver
}

type Message = PaymentDeadline & { messageId: string }

/** Parses the messages. `unreadable` could be neither parsed nor dead-lettered. */
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
