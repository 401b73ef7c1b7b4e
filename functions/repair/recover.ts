/**
 * Rebuilds a sale in Redis from the table, after Redis lost it or was rolled back (P10).
 *
 *   1 freeze     Redis and the gate reject every request for units
 *   2 send       the outbox and retryable dead letters; messages on their way get a moment to
 *                arrive
 *   3 restore    every order of the table gets its units, or its end, into Redis; held units are
 *                counted
 *   4 unfreeze   under a new epoch. Units that may still be on their way stay held back
 *                (held-back.ts). Shoppers with the old start token fetch the new one, and find
 *                their own order
 *
 * Every step may be repeated, and only the last unfreezes: wherever a run is cut off, the sale
 * stays closed until a marketer or `reconcile` runs it again (I6).
 *
 * No step waits for an empty queue. All sales share it, so it may never be empty, and SQS counts
 * are approximate. A message that arrives after step 4 takes its units from those that are held
 * back.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { holdsUnits } from '../../core/order.ts'
import type { Refusal } from '../../core/refusals.ts'
import type { Sale } from '../../core/sale.ts'
import { freeze } from '../../redis/freeze.ts'
import { restoreAll } from '../../redis/restore.ts'
import { withLock } from '../lib/lock.ts'
import { errorFacts } from '../lib/telemetry.ts'
import type { ListedOrder } from '../orders/order-ledger.ts'
import type { Actor } from '../sales/audit.ts'
import { applyEffects, publishToGate } from '../sales/effects.ts'
import { tryFinishStockChange } from '../sales/finish-stock-change.ts'
import { creditOutbox } from './claims.ts'
import { isWholeList, unitsOf } from './complete-list.ts'
import { mostUnaccounted, notingRedrives } from './held-back.ts'
import type { RepairPorts } from './ports.ts'
import { recountHolds } from './recount.ts'
import { recoverPackets } from './recover-packets.ts'
import { resendOutbox } from './resend-outbox.ts'
import { unfreezeSale } from './unfreeze.ts'

/**
 * `recovered`: Redis agrees with the table. `orders` hold `units`; `heldBack` more are not sold
 * until their messages have arrived or expired. `unfinished`: the sale stays frozen until the next
 * call, `detail` says why. `busy`: another recovery runs.
 */
export type Recovered =
  | { kind: 'recovered'; sale: Sale; orders: number; units: number; heldBack: number }
  | ({ kind: 'unfinished' } & Refusal)
  | ({ kind: 'refused' } & Refusal)
  | { kind: 'no-sale' | 'busy' }

/** How long the list of orders is waited for, in a function that has thirty seconds. */
export const recoveryPatienceMs = 15_000

const pollMs = 250

/**
 * Who reserved a unit right before the freeze is still sending its message: that takes a second at
 * most.
 */
const sendingMs = 1500

/**
 * Most messages are written within this time, and what is written need not be held back. A long
 * queue may have more: as long as orders keep arriving they are waited for a little longer, for the
 * list of orders would change while it is read.
 */
const arrivalMs = 3000
const longestArrivalMs = 5000
const restMs = 1000

/** Time limit for reading dead letters, ms: it must not keep the sale closed. */
const deadLettersMs = 2000

/**
 * Rebuilds the sale under its lock, waiting no longer than until `deadline` (epoch ms).
 * @throws when a part is unavailable
 */
export async function recover(
  ports: RepairPorts,
  actor: Actor,
  saleId: SaleId,
  deadline: number,
): Promise<Recovered> {
  const done = await withLock(ports, saleId, (signal) => rebuild(ports, actor, saleId, deadline, signal))
  return done.kind === 'busy' ? { kind: 'busy' } : done.value
}

async function rebuild(
  ports: RepairPorts,
  actor: Actor,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<Recovered> {
  const { sales, meter, log } = ports
  const record = await sales.find(saleId)
  if (record === undefined) return { kind: 'no-sale' }
  const { sale } = record
  if (sale.archivedAt !== undefined) return { kind: 'refused', reason: 'archived' }
  if (!sale.warmed || sale.epoch === 0) {
    return { kind: 'refused', reason: 'never-started' }
  }
  await freeze(ports.stock, saleId)
  signal.throwIfAborted()
  await publishToGate(ports, sale)
  await arrive(ports, sale, deadline, signal)
  const restored =
    sale.kind === 'red-packet'
      ? ((await recoverPackets(ports, sale, deadline, signal)) ?? notListed)
      : await rebuildHolds(ports, saleId, deadline, signal)
  if ('kind' in restored) return restored
  const unfrozen = await unfreezeSale(ports, actor, saleId, signal)
  const present = await tryFinishStockChange(ports, saleId)
  const { heldBack } = unfrozen
  await applyEffects(ports, present?.record ?? unfrozen.record)
  if (present?.unfinishedChange !== undefined) throw present.unfinishedChange
  meter.count('SaleRecovered')
  log.warn('sale rebuilt from the table', { saleId, ...restored, heldBack })
  return { kind: 'recovered', sale: (present?.record ?? unfrozen.record).sale, ...restored, heldBack }
}

const notListed = {
  kind: 'unfinished',
  reason: 'list-incomplete',
} as const

const alwaysMoving = {
  kind: 'unfinished',
  reason: 'orders-changing',
} as const

async function rebuildHolds(
  ports: RepairPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<{ orders: number; units: number } | typeof notListed | typeof alwaysMoving> {
  const restored = await restoreOrders(ports, saleId, deadline, signal)
  if (restored === undefined) return notListed
  return (await countAnew(ports, saleId, deadline, signal)) ? restored : alwaysMoving
}

/**
 * Sends what still has to be sent and gives it a moment to be written: until nothing more can be on
 * its way, and `arrivalMs` at most. Claims in the outbox are credited right here. What the queue
 * refuses stays in the outbox beside its hold, and none of what follows takes either away.
 */
async function arrive(ports: RepairPorts, sale: Sale, deadline: number, signal: AbortSignal): Promise<void> {
  const { clock, sleep, saleOrders } = ports
  const frozenAt = clock()
  await (sale.kind === 'red-packet' ? creditOutbox(ports, sale, 0, deadline) : resendOutbox(ports, sale, 0))
  await retryDead(ports, sale, Math.min(deadline, clock() + deadLettersMs))
  for (let last = { sold: -1, at: frozenAt }; ; ) {
    signal.throwIfAborted()
    const now = clock()
    const sold = (await saleOrders.totals(sale.saleId))?.sold ?? 0
    if (sold !== last.sold) last = { sold, at: now }
    const isAtRest = now >= frozenAt + arrivalMs && now >= last.at + restMs
    const isOver =
      isAtRest || now >= frozenAt + longestArrivalMs || (await mostUnaccounted(ports, sale, sold)) === 0
    if (now >= deadline || (isOver && now >= frozenAt + sendingMs)) return
    await sleep(pollMs)
  }
}

/** Their units are held back, also while SQS does not answer. */
async function retryDead(ports: RepairPorts, { kind }: Sale, until: number): Promise<void> {
  const { retry } = kind === 'red-packet' ? ports.deadClaims : ports.deadOrders
  try {
    await retry(until, notingRedrives(ports))
  } catch (error) {
    ports.log.warn('dead letters were not sent again', errorFacts(error))
  }
}

/**
 * Puts every listed order into Redis until the list agrees with the table, which it follows with a
 * moment's delay. While orders keep arriving it never does: then what was listed is enough, for
 * those that are missing find their units in what is held back. Undefined when the list did not
 * agree in time.
 */
async function restoreOrders(
  ports: RepairPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<{ orders: number; units: number } | undefined> {
  const { clock, sleep, saleOrders } = ports
  const before = await saleOrders.totals(saleId)
  for (;;) {
    const standing = await restoreListed(ports, saleId, deadline, signal)
    if (standing === undefined) return undefined
    const isArriving = ((await saleOrders.totals(saleId))?.sold ?? 0) > (before?.sold ?? 0)
    if (isArriving || (await isWholeList(ports, saleId, standing, deadline))) {
      return { orders: standing.length, units: unitsOf(standing) }
    }
    if (clock() >= deadline) return undefined
    await sleep(pollMs)
  }
}

/** False when units were given back during every count until `deadline`. */
async function countAnew(
  ports: RepairPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, sleep } = ports
  for (;;) {
    signal.throwIfAborted()
    const { kind } = await recountHolds(ports, saleId)
    if (kind === 'unknown-sale') throw new Error(`Redis lost the frozen stock of ${saleId} again`)
    if (kind !== 'moved') return true
    if (clock() >= deadline) return false
    await sleep(pollMs)
  }
}

/**
 * One walk over the list; resolves with the standing orders it saw, or undefined when there was no
 * time for all.
 */
async function restoreListed(
  { stock, saleOrders, clock }: RepairPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<readonly ListedOrder[] | undefined> {
  const standing = new Map<OrderId, ListedOrder>()
  for await (const page of saleOrders.pages(saleId)) {
    signal.throwIfAborted()
    if (clock() >= deadline) return undefined
    const rightful = page.map((order) => ({
      ...order,
      quantity: holdsUnits(order.status) ? order.quantity : 0,
    }))
    if ((await restoreAll(stock, saleId, rightful)).kind === 'unknown-sale') {
      throw new Error(`Redis lost the frozen stock of ${saleId} again`)
    }
    for (const order of page) if (holdsUnits(order.status)) standing.set(order.orderId, order)
  }
  return [...standing.values()]
}
