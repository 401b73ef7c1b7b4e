/**
 * Rebuilds the holds of frozen shards: unsent messages are sent and awaited, then every order of the table is restored in
 * Redis, with its units or as ended.
 */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { holdsUnits } from '../../../core/orders/order.ts'
import type { Commander } from '../../../redis/command.ts'
import { restoreAll } from '../../../redis/orders/restore.ts'
import { groupByShard } from '../../../redis/shards.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { type ListedOrder, saleOrderPages, saleTotals } from '../../table/sale/sale-orders.ts'
import { isCompleteList, unitsOf } from '../orders/order-list.ts'
import { endingWithin, type RecoveryRun, type RepairPorts } from '../ports.ts'
import { maxUnaccounted, redriveRecorder } from './held-back.ts'
import { recountHolds } from './recount-holds.ts'

const pollMs = 250

/** A reservation from just before the freeze still sends its message, which takes a second at most. */
const sendingMs = 1500

/**
 * Most messages are written within this time, and written units need not be held back. A long queue may have more: while orders
 * keep arriving, wait a little longer, because the list of orders would change while it is read.
 */
const arrivalMs = 3000
const maxArrivalMs = 5000
const restMs = 1000

/** Time limit for reading dead letters, ms; it must not keep the sale closed. */
const deadLettersMs = 2000

const listIncomplete = {
  kind: 'unfinished',
  reason: 'list-incomplete',
} as const

export const ordersChanging = {
  kind: 'unfinished',
  reason: 'orders-changing',
} as const

/** All active orders of the sale and their units. */
type Rebuilt = { orders: number; units: number }

type NotRebuilt = typeof listIncomplete | typeof ordersChanging

/** Restores the orders of the table in frozen `shards`, and books their units. @throws when a part is unavailable */
export async function rebuildHolds(recovery: RecoveryRun, shards: readonly Commander[]): Promise<Rebuilt | NotRebuilt> {
  const restored = await restoreOrders(recovery, shards)
  if (restored === undefined) return listIncomplete
  for (const shard of shards) {
    if (!(await recountShard(recovery, shard))) return ordersChanging
  }
  return restored
}

/**
 * Sends unsent messages by `send` and waits until nothing more can be in flight, `maxArrivalMs` at most. Refused messages stay
 * in the outbox beside their holds, and the later steps remove neither.
 */
export async function awaitMessages(recovery: RecoveryRun, send: () => Promise<unknown>): Promise<void> {
  const { clock, sleep, table, sale, deadline, signal } = recovery
  const frozenAt = clock()
  await send()
  await retryDeadLetters(endingWithin(recovery, deadLettersMs))
  for (let last = { sold: -1, at: frozenAt }; ; ) {
    signal.throwIfAborted()
    const now = clock()
    const sold = (await saleTotals(table, sale.saleId))?.sold ?? 0
    if (sold !== last.sold) last = { sold, at: now }
    const isAtRest = now >= frozenAt + arrivalMs && now >= last.at + restMs
    const isOver = isAtRest || now >= frozenAt + maxArrivalMs || (await maxUnaccounted(recovery, sale, sold)) === 0
    if (now >= deadline || (isOver && now >= frozenAt + sendingMs)) return
    await sleep(pollMs)
  }
}

/** Waits for `sending`, best effort: an unavailable shard must not keep the lost ones closed. */
export async function sendBestEffort({ log }: RepairPorts, saleId: SaleId, sending: Promise<unknown>): Promise<void> {
  try {
    await sending
  } catch (error) {
    log.warn('not every outbox was sent', { saleId, ...errorFacts(error) })
  }
}

/** Resends dead letters, best effort: their units are held back anyway. */
async function retryDeadLetters(recovery: RecoveryRun): Promise<void> {
  const { deadOrders, log } = recovery
  try {
    await deadOrders.retry(recovery.deadline, redriveRecorder(recovery))
  } catch (error) {
    log.warn('dead letters were not sent again', errorFacts(error))
  }
}

/**
 * Restores every listed order until the list agrees with the table, which it follows with a short delay. While orders keep
 * arriving it never does. Then the listed orders suffice, because the missing ones find their units among those held back.
 * Undefined when the list did not agree in time.
 */
async function restoreOrders(recovery: RecoveryRun, shards: readonly Commander[]): Promise<Rebuilt | undefined> {
  const { clock, sleep, table, deadline } = recovery
  const { saleId } = recovery.sale
  const before = await saleTotals(table, saleId)
  for (;;) {
    const active = await restoreListed(recovery, shards)
    if (active === undefined) return undefined
    const isArriving = ((await saleTotals(table, saleId))?.sold ?? 0) > (before?.sold ?? 0)
    if (isArriving || (await isCompleteList(recovery, saleId, active))) {
      return { orders: active.length, units: unitsOf(active) }
    }
    if (clock() >= deadline) return undefined
    await sleep(pollMs)
  }
}

/** Recounts a shard; false when units were released during every count until the deadline. */
async function recountShard(recovery: RecoveryRun, shard: Commander): Promise<boolean> {
  const { clock, sleep, deadline, signal } = recovery
  const { saleId } = recovery.sale
  for (;;) {
    signal.throwIfAborted()
    const { kind } = await recountHolds(shard, saleId)
    if (kind === 'unknown-sale') throw new Error(`Redis lost the frozen stock of ${saleId} again`)
    if (kind !== 'moved') return true
    if (clock() >= deadline) return false
    await sleep(pollMs)
  }
}

/** Restores all orders of `shards` once; resolves with the active ones, undefined when time ran out. */
async function restoreListed(
  { stock, table, clock, deadline, signal, sale: { saleId } }: RecoveryRun,
  shards: readonly Commander[],
): Promise<readonly ListedOrder[] | undefined> {
  const active = new Map<OrderId, ListedOrder>()
  for await (const page of saleOrderPages(table, saleId)) {
    signal.throwIfAborted()
    if (clock() >= deadline) return undefined
    const expected = page.map((order) => ({ ...order, quantity: holdsUnits(order.status) ? order.quantity : 0 }))
    for (const [shard, some] of await groupByShard(stock, saleId, expected)) {
      if (!shards.includes(shard)) continue
      if ((await restoreAll(shard, saleId, some)).kind === 'unknown-sale') {
        throw new Error(`Redis lost the frozen stock of ${saleId} again`)
      }
    }
    for (const order of page) if (holdsUnits(order.status)) active.set(order.orderId, order)
  }
  return [...active.values()]
}
