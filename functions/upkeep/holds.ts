/**
 * Compares every hold in Redis with every order in the table and puts Redis right (I4). The table is the truth: an order
 * that stands and has no hold gets it back, a hold whose order lost its units is released. A hold without any order is
 * a message on its way, until it is too old for that.
 *
 * The reads go against the way of an order, which is reserved, sent and written: first the list of orders, then the
 * holds, the outbox and the queue, and last the orders themselves. Nothing can slip past all of them.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import type { Sale } from '../../core/sale.ts'
import { type CancelUnpaidPorts, cancelUnpaid } from '../order-life/cancel-unpaid.ts'
import type { ListedOrder, OrderLedger, SaleOrders } from '../order-life/order-ledger.ts'
import { releaseUnits } from '../order-life/release.ts'
import { errorFacts } from '../telemetry.ts'
import { chunksOf } from './chunks.ts'
import { type Depths, type Hold, type Holdings, messagesIn, type Outbox } from './ports.ts'
import { type RejectPorts, rejectHolds } from './reject.ts'

export type HoldsPorts = {
  holdings: Pick<Holdings, 'pages' | 'restore'>
  outbox: Pick<Outbox, 'pages'>
  queues: Depths
  saleOrders: Pick<SaleOrders, 'pages'>
  ledger: Pick<OrderLedger, 'findMany'>
} & RejectPorts &
  CancelUnpaidPorts

/**
 * Orders that were put right. `restored`: their hold was missing. `released`: they had lost their units. `lost`: their
 * message never came, and never will. `overdue`: nobody had cancelled them in time.
 */
export type HoldsChecked = { restored: number; released: number; lost: number; overdue: number }

/**
 * A message comes within seconds. Much later than any retry of a function and any delivery of the queue, a hold
 * without an order is one whose message was lost.
 */
export const holdAgeMs = 900_000

/** How long after its time the timer of an unpaid order counts as lost. */
const timerLateMs = 60_000

/** Orders looked up at once: they are held in memory together. */
const pageSize = 1000

/** So many ids of a long list go into a log line. */
const maxLogged = 20

/**
 * Puts the holds of `sale` right; those younger than `ageMs` may still be on their way. Cancels nothing after `deadline`
 * (epoch ms). Throws when a part is dark; what was done stays done.
 */
export async function checkHolds(
  ports: HoldsPorts,
  sale: Sale,
  ageMs: number,
  deadline: number,
): Promise<HoldsChecked> {
  const { saleId } = sale
  const listed = await listStanding(ports, saleId)
  const held = await listHolds(ports, saleId)
  const waiting = await listWaiting(ports, saleId)
  // Before anything is released: whoever buys what comes back must find the books complete.
  const restored = await putBack(
    ports,
    saleId,
    [...listed.values()].filter(({ orderId }) => !held.has(orderId)),
  )
  const oldest = ports.clock() - ageMs
  const doubtful = [...held.values()].filter(
    ({ orderId, reservedAt }) =>
      reservedAt <= oldest && !waiting.has(orderId) && !isSettled(listed.get(orderId)),
  )
  const sum: HoldsChecked = { restored, released: 0, lost: 0, overdue: 0 }
  if (doubtful.length === 0) return sum
  const isQuiet = await nothingOnItsWay(ports)
  for (const some of chunksOf(doubtful, pageSize)) {
    const found = await sortOut(ports, some)
    sum.released += await release(ports, saleId, found.released)
    if (isQuiet) sum.lost += await giveUp(ports, sale, found.lost)
    sum.overdue += (await cancelUnpaid(ports, found.overdue, deadline)).cancelled
  }
  return sum
}

/** The list may lag behind, but what it says was true: a paid or fulfilled order had its units then. */
const isSettled = (order: ListedOrder | undefined) =>
  order?.status === 'paid' || order?.status === 'fulfilled'

async function listStanding({ saleOrders }: HoldsPorts, saleId: SaleId): Promise<Map<OrderId, ListedOrder>> {
  const found = new Map<OrderId, ListedOrder>()
  for await (const page of saleOrders.pages(saleId)) {
    for (const order of page) if (holdsUnits(order.status)) found.set(order.orderId, order)
  }
  return found
}

async function listHolds({ holdings }: HoldsPorts, saleId: SaleId): Promise<Map<OrderId, Hold>> {
  const found = new Map<OrderId, Hold>()
  for await (const page of holdings.pages(saleId)) for (const hold of page) found.set(hold.orderId, hold)
  return found
}

async function listWaiting({ outbox }: HoldsPorts, saleId: SaleId): Promise<Set<OrderId>> {
  const found = new Set<OrderId>()
  for await (const page of outbox.pages(saleId)) for (const { orderId } of page) found.add(orderId)
  return found
}

/**
 * Gives orders their holds back. The list they are from may lag, so each is asked for before, and again after: one that
 * lost its units in between was released when it had no hold.
 */
async function putBack(ports: HoldsPorts, saleId: SaleId, missing: readonly ListedOrder[]): Promise<number> {
  if (missing.length === 0) return 0
  const { holdings, meter, log } = ports
  const standing = await stillStanding(ports, missing)
  const put = await holdings.restore(saleId, standing)
  if (put.kind === 'unknown-sale')
    throw new Error(`the stock of ${saleId} was lost while its holds were put back`)
  if (put.orders > 0) {
    meter.count('HoldsRestored', put.orders)
    log.warn('holds put back that Redis had lost', { saleId, orders: put.orders, ...someOf(standing) })
  }
  const stand = new Set((await stillStanding(ports, standing)).map(({ orderId }) => orderId))
  const gone = standing.map(({ orderId }) => orderId).filter((orderId) => !stand.has(orderId))
  await releaseUnits(ports, saleId, gone)
  return put.orders
}

async function stillStanding({ ledger }: HoldsPorts, listed: readonly ListedOrder[]): Promise<ListedOrder[]> {
  const orders = await ledger.findMany(listed.map(({ orderId }) => orderId))
  return listed.filter(({ orderId }) => {
    const order = orders.get(orderId)
    return order !== undefined && holdsUnits(order.status)
  })
}

/** SQS counts about right. Were it wrong, the message that still comes would find its order rejected and do no harm. */
async function nothingOnItsWay({ queues, log }: HoldsPorts): Promise<boolean> {
  try {
    return messagesIn(await queues.orders()) + (await queues.deadLetters()) === 0
  } catch (error) {
    log.warn('the order queue does not answer; no message is given up', errorFacts(error))
    return false
  }
}

type Sorted = { released: OrderId[]; lost: Hold[]; overdue: OrderId[] }

async function sortOut({ ledger, clock }: HoldsPorts, holds: readonly Hold[]): Promise<Sorted> {
  const orders = await ledger.findMany(holds.map(({ orderId }) => orderId))
  const now = clock()
  const sorted: Sorted = { released: [], lost: [], overdue: [] }
  for (const hold of holds) {
    const order = orders.get(hold.orderId)
    if (order === undefined) sorted.lost.push(hold)
    else if (!holdsUnits(order.status)) sorted.released.push(hold.orderId)
    else if (isOverdue(order, now)) sorted.overdue.push(hold.orderId)
  }
  return sorted
}

const isOverdue = ({ status, cancelAt }: Order, now: number) =>
  status === 'awaiting-payment' && now >= cancelAt + timerLateMs

async function release(ports: HoldsPorts, saleId: SaleId, orderIds: readonly OrderId[]): Promise<number> {
  const orders = await releaseUnits(ports, saleId, orderIds)
  if (orders > 0) {
    ports.meter.count('HoldsReleased', orders)
    ports.log.warn('holds released whose orders had lost their units', { saleId, orders })
  }
  return orders
}

async function giveUp(ports: HoldsPorts, sale: Sale, holds: readonly Hold[]): Promise<number> {
  const rejected = await rejectHolds(ports, sale, holds, 'lost')
  if (rejected.length > 0) {
    const { saleId } = sale
    ports.meter.count('HoldsReleased', rejected.length)
    ports.log.error('reservations rejected whose message was lost', {
      saleId,
      orders: rejected.length,
      orderIds: rejected.slice(0, maxLogged),
    })
  }
  return rejected.length
}

const someOf = (orders: readonly { orderId: OrderId }[]) => ({
  orderIds: orders.slice(0, maxLogged).map(({ orderId }) => orderId),
})
