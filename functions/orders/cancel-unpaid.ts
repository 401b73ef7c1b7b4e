/**
 * Cancels unpaid orders, many in one transaction (O8). Each order is read right before it is written, so a payment that
 * arrives at the same moment either wins or finds the order cancelled, never both.
 *
 * A message names orders whose time to pay is over: those still unpaid are cancelled, those with time left get a new
 * message, the others are done. SQS delays a message by at most 15 minutes, so a longer time to pay is a chain of
 * messages. The pages of their payments are due to be closed by then, which `reconcile` does.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import type { Order } from '../../core/orders/order.ts'
import { advance } from '../../core/orders/order-life.ts'
import { type DeadLetters, type QueueMessage, rejectToDlq } from '../lib/queue-consumer.ts'
import { retry, within } from '../lib/retry.ts'
import type { Shop, StorePorts } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { changeWrittenOrders, maxChanges, type OrderChange } from '../table/orders/change-orders.ts'
import { findWrittenOrders } from '../table/orders/orders.ts'
import { type Deadlines, type PaymentDeadline, paymentDeadline, setTimers, type Timer } from './deadlines.ts'
import { leaveDue, releaseUnits } from './release.ts'

export type CancelUnpaidPorts = StorePorts & Pick<Shop, 'shopfront' | 'sleep' | 'meter' | 'log'>

/**
 * `cancelled` counts orders. `later`: there is still time to pay, until `at`. `undecided`: unchanged, because the table
 * was unavailable or busy, time ran out, or the order cannot be written.
 */
export type UnpaidCancelled = { cancelled: number; later: readonly Timer[]; undecided: readonly OrderId[] }

/** Orders read at once. They fill whole transactions, and a failed read delays only this page. */
const pageSize = 4 * maxChanges

/** The result so far: `waiting` are still to be decided, `stuck` cannot be written. */
type Page = { cancelled: Order[]; later: Timer[]; stuck: OrderId[]; waiting: Set<OrderId> }

/**
 * Cancels the orders in `orderIds` whose time to pay is over and releases their units, one release per sale. Begins no
 * transaction after `deadline` (epoch ms) and waits for no release beyond it; units not released stay due. Never
 * throws. An order that is not written yet appears in neither `later` nor `undecided`.
 */
export async function cancelUnpaid(
  ports: CancelUnpaidPorts,
  orderIds: readonly OrderId[],
  deadline: number,
): Promise<UnpaidCancelled> {
  const cancelled: Order[] = []
  const later: Timer[] = []
  const undecided: OrderId[] = []
  for (const some of slicesOf([...new Set(orderIds)], pageSize)) {
    const page: Page = { cancelled, later, stuck: [], waiting: new Set(some) }
    await decidePage(ports, page, deadline)
    undecided.push(...page.waiting, ...page.stuck)
  }
  ports.meter.count('OrdersCancelled', cancelled.length)
  await giveBack(ports, cancelled, deadline)
  return { cancelled: cancelled.length, later, undecided }
}

async function decidePage(ports: CancelUnpaidPorts, page: Page, deadline: number): Promise<void> {
  const { clock, sleep, log } = ports
  try {
    const isOver = () => page.waiting.size === 0 || clock() >= deadline
    if (isOver()) return
    await retry(async () => {
      const groups = groupsOf(await readDue(ports, page))
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        if (clock() >= deadline) return true
        groups.unshift(...(await cancelGroup(ports, page, group)))
      }
      return isOver() || undefined
    }, sleep)
  } catch (error) {
    log.warn('unpaid orders not decided', { orderIds: [...page.waiting], ...errorFacts(error) })
  }
}

/** Cancels all of `group`, or resolves with its halves, so that only an order that cannot be written fails (O7). */
async function cancelGroup(
  { table, log }: CancelUnpaidPorts,
  page: Page,
  group: OrderChange[],
): Promise<OrderChange[][]> {
  try {
    // Stale or busy: the group stays in `waiting` and is read again.
    if ((await changeWrittenOrders(table, group)).kind !== 'changed') return []
    for (const { to } of group) {
      page.waiting.delete(to.orderId)
      page.cancelled.push(to)
    }
  } catch (error) {
    if (group.length > 1) return slicesOf(group, Math.ceil(group.length / 2))
    const orderIds = group.map(({ to }) => to.orderId)
    for (const orderId of orderIds) page.waiting.delete(orderId)
    page.stuck.push(...orderIds)
    log.warn('unpaid order not cancelled', { orderIds, ...errorFacts(error) })
  }
  return []
}

/** The cancellations that are due now; the other orders leave `waiting`. */
async function readDue({ table, clock }: CancelUnpaidPorts, page: Page): Promise<OrderChange[]> {
  const orders = await findWrittenOrders(table, [...page.waiting])
  const now = clock()
  const due: OrderChange[] = []
  for (const from of orders.values()) {
    const step = advance(from, { kind: 'payment-window-over' }, now)
    if (step.kind === 'moved') due.push({ from, to: step.order })
    else if (step.kind === 'not-yet') page.later.push({ orderId: from.orderId, at: step.at })
  }
  page.waiting = new Set(due.map(({ from }) => from.orderId))
  return due
}

/** Groups that each fit one transaction. One sale per group, because each sale costs one more item. */
function groupsOf(changes: readonly OrderChange[]): OrderChange[][] {
  const bySale = Map.groupBy(changes, ({ to }) => to.saleId)
  return [...bySale.values()].flatMap((ofSale) => slicesOf(ofSale, maxChanges))
}

async function giveBack(ports: CancelUnpaidPorts, cancelled: readonly Order[], deadline: number): Promise<void> {
  const bySale = Map.groupBy(cancelled, ({ saleId }) => saleId)
  const one = ([saleId, orders]: [SaleId, Order[]]) => {
    return within(deadline - ports.clock(), releaseUnits(ports, saleId, orders)).catch((error) =>
      leaveDue(ports, saleId, orders, error),
    )
  }
  await Promise.all([...bySale].map(one))
}

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
