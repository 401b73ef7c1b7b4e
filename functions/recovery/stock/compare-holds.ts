/**
 * Compares every hold in Redis with every order in the table and corrects Redis (I4). The table is the source of truth: an
 * order that holds units and has no hold, or one for other units, gets its own; the hold of an ended order is released. A hold
 * without an order is a message in flight. Once it is too old for that, its message is written to the outbox again.
 *
 * Reads run against the direction of an order, which is reserved, sent and written: first the list of orders, then holds,
 * outbox, queue and dead letters, and last the orders themselves. So every order is seen at least once.
 */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { type FinalOrder, holdsUnits, isSoldStatus, type Order } from '../../../core/orders/order.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import { type HeldOrder, holdPages } from '../../../redis/orders/holds.ts'
import { messagesPerPage, outboxPages, type PendingMessage, restoreMessages } from '../../../redis/orders/outbox.ts'
import { restoreAll } from '../../../redis/orders/restore.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { messagesIn } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { cancelUnpaid } from '../../orders/cancel-unpaid.ts'
import { releaseUnits } from '../../orders/release.ts'
import { findWrittenOrders, orderIdsOf } from '../../table/orders/orders.ts'
import { type ListedOrder, saleOrderPages, saleTotals } from '../../table/sale/sale-orders.ts'
import { activeOrders } from '../orders/order-list.ts'
import type { RepairPorts, Timed } from '../ports.ts'
import { deliveryMs } from './held-back.ts'

/**
 * Counts of corrected orders. `restored`: the hold was missing, or for other units. `released`: the order had ended.
 * `lost`: the message was lost, and is sent again. `overdue`: unpaid and not cancelled in time.
 */
export type HoldsChecked = { restored: number; released: number; lost: number; overdue: number }

/** The corrections, and the active orders, which now have their holds; undefined when time ran out. */
export type Comparison = { checked: HoldsChecked; active: readonly ListedOrder[] | undefined }

/** A message is delivered within seconds. After this time, ms, the message of a hold without an order is lost. */
export const holdAgeMs = deliveryMs

/** The shared queue may never be empty. While it is not, a message counts as lost only after this long. */
const busyHoldAgeMs = 3_600_000

/** How long after its time the timer of an unpaid order counts as lost. */
const timerLateMs = 60_000

/** Orders corrected between two reads of the clock. */
const pageSize = 200

/** The maximum of ids in a log line. */
const maxLogged = 20

/**
 * Corrects the holds of `sale`. Holds younger than `ageMs` may still be in flight. Corrections made before the deadline stay.
 * @throws when Redis, the table or the queue is unavailable
 */
export async function checkHolds(ports: Timed, sale: Sale, ageMs: number): Promise<Comparison> {
  const { deadline } = ports
  const { saleId } = sale
  const checked: HoldsChecked = { restored: 0, released: 0, lost: 0, overdue: 0 }
  const unfinished = () => {
    ports.meter.count('ReconcileFailed')
    ports.log.warn('no time was left to compare every hold', { saleId })
    return { checked, active: undefined }
  }
  const snapshot = await readSnapshot(ports, saleId)
  if (snapshot === undefined) return unfinished()
  const { listed, held, waiting } = snapshot
  // Restore before releasing: the next buyer of a released unit must find every hold in place.
  const wrong = [...listed.values()].filter((order) => !isHeld(order, held.get(order.orderId)))
  for (const some of slicesOf(wrong, pageSize)) {
    if (ports.clock() >= deadline) return unfinished()
    checked.restored += await restoreHolds(ports, saleId, some)
  }
  const oldest = ports.clock() - ageMs
  const suspects = [...held.values()].filter(
    ({ orderId, reservedAt }) => reservedAt <= oldest && !waiting.has(orderId) && !hadUnits(listed.get(orderId)),
  )
  const owned = new Set([...listed.values()].flatMap(({ packet }) => packet?.number ?? []))
  const oldestIfBusy = ports.clock() - Math.max(ageMs, busyHoldAgeMs)
  const pending = suspects.length === 0 ? undefined : await pendingMessages(ports, saleId, oldest)
  for (const some of slicesOf(suspects, pageSize)) {
    if (ports.clock() >= deadline) return unfinished()
    const found = await sortHolds(ports, some)
    const ended = found.released.map((hold) => ({ ...hold, isPacketTaken: owned.has(hold.packet?.number ?? -1) }))
    checked.released += await releaseHolds(ports, saleId, ended)
    const lost = found.lost.filter(
      ({ orderId, reservedAt }) =>
        pending !== undefined && !pending.dead.has(orderId) && (!pending.isBusy || reservedAt <= oldestIfBusy),
    )
    checked.lost += await restoreLostMessages(ports, saleId, lost)
    checked.overdue += (await cancelUnpaid(ports, found.overdue, deadline)).cancelled
  }
  return { checked, active: [...listed.values()] }
}

function isHeld({ quantity, variant, packet }: ListedOrder, hold: HeldOrder | undefined): boolean {
  return hold?.quantity === quantity && hold.variant === variant && hold.packet?.number === packet?.number
}

const hadUnits = (order: ListedOrder | undefined) => order !== undefined && isSoldStatus(order.status)

type ById<T> = ReadonlyMap<OrderId, T>
type Snapshot = { listed: ById<ListedOrder>; held: ById<HeldOrder>; waiting: ById<PendingMessage> }

/** Reads everything that is compared. Undefined when time ran out, because a partial read would make orders look lost. */
async function readSnapshot({ stock, table, clock, deadline }: Timed, saleId: SaleId): Promise<Snapshot | undefined> {
  const readAll = async <T extends { orderId: OrderId }>(pages: AsyncIterable<readonly T[]>) => {
    const found = new Map<OrderId, T>()
    for await (const page of pages) {
      for (const item of page) found.set(item.orderId, item)
      if (clock() >= deadline) return undefined
    }
    return found
  }
  const orders = await readAll(saleOrderPages(table, saleId))
  if (orders === undefined) return undefined
  const held = await readAll(holdPages(stock, saleId, maxOrdersPerCall))
  if (held === undefined) return undefined
  const waiting = await readAll(outboxPages(stock, saleId, messagesPerPage))
  if (waiting === undefined) return undefined
  return { listed: new Map([...orders].filter(([, { status }]) => holdsUnits(status))), held, waiting }
}

/**
 * Restores the holds of orders. The list may be stale, so each order is read before and after: one that lost its units in
 * between was released when it had no hold.
 */
async function restoreHolds(ports: RepairPorts, saleId: SaleId, wrong: readonly ListedOrder[]): Promise<number> {
  if (wrong.length === 0) return 0
  const { meter, log } = ports
  const active = await activeOrders(ports, wrong)
  const put = await restoreAll(ports.stock, saleId, active)
  if (put.kind === 'unknown-sale') throw new Error(`the stock of ${saleId} was lost while its holds were restored`)
  if (put.orders > 0) {
    meter.count('HoldsRestored', put.orders)
    log.warn('holds restored that Redis had lost, or had for other units', {
      saleId,
      orders: put.orders,
      ...loggedIds(active),
    })
  }
  const stillActive = new Set((await activeOrders(ports, active)).map(({ orderId }) => orderId))
  const gone = active.filter(({ orderId }) => !stillActive.has(orderId))
  await releaseUnits(ports, saleId, gone)
  return put.orders
}

/** `dead` are the orders with a dead letter. `isBusy`: the queue has messages, of any sale. */
type PendingMessages = { dead: ReadonlyMap<OrderId, unknown>; isBusy: boolean }

/**
 * Returns the messages that may still become orders. Undefined when that is unknown, and when messages of the sale were resent
 * after `oldest` (epoch ms), because they may still be in flight.
 */
async function pendingMessages(
  ports: RepairPorts,
  saleId: SaleId,
  oldest: number,
): Promise<PendingMessages | undefined> {
  const { orderQueue, table, deadOrders, log } = ports
  const isEmpty = async () => messagesIn(await orderQueue.depth()) === 0
  try {
    const wasEmpty = await isEmpty()
    const dead = await deadOrders.units()
    if (dead === undefined) {
      log.warn('not all dead letters could be read; no message is given up')
      return undefined
    }
    // A redrive is recorded before the message leaves the dead letters, so read those first.
    const stock = await readStock(ports.stock, saleId)
    const totals = await saleTotals(table, saleId)
    if (Math.max(stock?.resentAt ?? 0, totals?.redrivenAt ?? 0) > oldest) return undefined
    return { dead, isBusy: !(wasEmpty && (await isEmpty())) }
  } catch (error) {
    log.warn('the queue, Redis or the table does not answer; no message is given up', errorFacts(error))
    return undefined
  }
}

type Sorted = { released: HeldOrder[]; lost: HeldOrder[]; overdue: OrderId[] }

async function sortHolds({ table, clock }: RepairPorts, holds: readonly HeldOrder[]): Promise<Sorted> {
  const orders = await findWrittenOrders(table, orderIdsOf(holds))
  const now = clock()
  const sorted: Sorted = { released: [], lost: [], overdue: [] }
  for (const hold of holds) {
    const order = orders.get(hold.orderId)
    if (order === undefined) sorted.lost.push(hold)
    else if (!holdsUnits(order.status)) sorted.released.push(hold)
    else if (isOverdue(order, now)) sorted.overdue.push(hold.orderId)
  }
  return sorted
}

const isOverdue = ({ status, cancelAt }: Order, now: number) =>
  status === 'awaiting-payment' && now >= cancelAt + timerLateMs

async function releaseHolds(ports: RepairPorts, saleId: SaleId, holds: readonly FinalOrder[]): Promise<number> {
  const orders = await releaseUnits(ports, saleId, holds)
  if (orders > 0) {
    ports.meter.count('HoldsReleased', orders)
    ports.log.warn('holds released whose orders had lost their units', { saleId, orders })
  }
  return orders
}

/** Writes lost messages to the outbox again, which `reconcile` sends (I2, O5). A hold has all the facts of its order. */
async function restoreLostMessages(ports: RepairPorts, saleId: SaleId, holds: readonly HeldOrder[]): Promise<number> {
  if (holds.length === 0) return 0
  const requestId = ports.newId()
  await restoreMessages(
    ports.stock,
    saleId,
    holds.map((hold) => ({ ...hold, saleId, requestId })),
  )
  ports.log.error('lost messages written to the outbox again', { saleId, orders: holds.length, ...loggedIds(holds) })
  return holds.length
}

const loggedIds = (orders: readonly { orderId: OrderId }[]) => ({
  orderIds: orders.slice(0, maxLogged).map(({ orderId }) => orderId),
})
