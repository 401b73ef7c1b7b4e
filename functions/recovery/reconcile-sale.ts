/**
 * Repairs one sale: finishes the work that a crash or an outage interrupted between Redis, the queue and the table. It reads
 * only the sources of truth, so running it often, late or twice does no harm (I5, I6).
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { ownValue } from '../../core/lib/own-value.ts'
import type { FinalOrder, Order } from '../../core/orders/order.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { isOver, isUpcoming } from '../../core/sale/sale-life.ts'
import type { Commander } from '../../redis/command.ts'
import { shardsOf } from '../../redis/shards.ts'
import { releaseUnits } from '../orders/release.ts'
import { type Repaired, repair } from '../sales/repair-sale.ts'
import type { OnVisit } from '../sales/scheduled-option.ts'
import { onVisits } from '../sales/scheduled-options.ts'
import { findWrittenOrders, orderIdsOf } from '../table/orders/orders.ts'
import { dueReleases } from '../table/orders/releases.ts'
import { saleTotals, saleTotalsSnapshot } from '../table/sale/sale-orders.ts'
import { findSale } from '../table/sale/sales.ts'
import type { SaleTotals } from '../table/stock/cap-item.ts'
import { isCompleteList } from './orders/order-list.ts'
import { type OutboxResent, resendOutbox } from './orders/resend-outbox.ts'
import { returnUnclaimed } from './packets/close-budget.ts'
import { sellHeldPackets } from './packets/recover-packets.ts'
import type { RepairPorts, Run } from './ports.ts'
import { type Comparison, checkHolds, type HoldsChecked } from './stock/compare-holds.ts'
import { readDrift } from './stock/drift.ts'
import { type HeldBackStatus, readHeldBackStatus, sellHeldBack } from './stock/held-back.ts'
import { isMiscounted } from './stock/recount-holds.ts'

/**
 * Runs both halves for `sale` once. Leaves a sale in state `to-recover` to `recover`.
 * @throws when a part is unavailable, or, after all else, why a stock change could not be finished
 */
export async function reconcileSale(
  run: Run,
  sale: Sale,
  onVisit: OnVisit = onVisits(run, [sale]),
): Promise<ReconciledSale> {
  const { unfinishedChange, state, ...relayed } = await dispatchAndRepair(run, sale)
  const isLost = state === 'to-recover'
  const compared = isLost ? notCompared : await compareCounts(run, sale, onVisit)
  if (unfinishedChange !== undefined) throw unfinishedChange
  const { isBroken, ...found } = compared
  return { ...relayed, state: isBroken ? 'to-recover' : state, ...found }
}

/**
 * The quick first half: sends the messages of the outbox, and publishes the sale to Redis and the gate where they lack it.
 * Finds out whether Redis has lost the sale.
 * @throws when a part is unavailable
 */
export async function dispatchAndRepair(run: Run, sale: Sale): Promise<DispatchedAndRepaired> {
  const { saleId, warmed, epoch } = sale
  const dispatched = warmed && epoch > 0 ? await resendOutbox(run, sale, run.minAgeMs) : emptyOutbox
  if (isFinishing(run, sale)) return { ...dispatched, state: 'in-step' }
  const { kind, unfinishedChange } = await repair(run, saleId)
  return { ...dispatched, state: kind, unfinishedChange }
}

/**
 * The second half, which may take long: compares booked with sold units, finishes due releases, and publishes the number of
 * units left. Call it only for a sale whose stock is present.
 * @throws when a part is unavailable
 */
export async function compareCounts(run: Run, sale: Sale, onVisit: OnVisit): Promise<CountsCompared> {
  const { table, publisher, full } = run
  const { saleId, warmed, epoch } = sale
  if (!warmed) {
    // A crash may have happened between the gate and the pointer.
    if (full) await publisher.pointer(saleId)
    return notCompared
  }
  await checkCap(run, sale)
  await onVisit(sale)
  if (isFinishing(run, sale)) {
    const released = await releaseUnits(run, saleId, await dueReleases(table, saleId))
    await returnUnclaimed(run, sale)
    return { ...notCompared, released }
  }
  const compared = epoch > 0 ? await compareHolds(run, sale) : notCompared
  if (!compared.isBroken) await returnUnclaimed(run, sale)
  // Publishing costs money, and only a crash leaves a wrong pointer of a future sale.
  if (full || !isUpcoming(sale, run.clock())) await publisher.pointer(saleId)
  return compared
}

const emptyOutbox: OutboxResent = { resent: 0, waiting: 0, oldestAgeMs: 0, givenUp: 0 }
const notCompared: CountsCompared = { drift: null, holds: undefined, released: 0, isBroken: false }

/** True for a sale that is over: only due work is finished, unless a full comparison is requested. */
const isFinishing = ({ clock, full }: Run, sale: Sale) => isOver(sale, clock()) && !full

/**
 * Compares the holds with the orders. A due release keeps its units booked although they are not sold: that is no drift.
 *
 * If the table rejected an order that Redis had accepted, Redis has lost the hold of another order. Restore that hold before
 * releasing the rejected order, or its units are sold twice. The list of orders is eventually consistent: until it is complete,
 * rejected orders stay due. For the same reason held-back units are sold only when every order that has arrived has its hold.
 * The list also shows whether another order has the red packet of a rejected one.
 */
async function compareHolds(run: Run, sale: Sale): Promise<CountsCompared> {
  const { holdAgeMs, full } = run
  const { saleId } = sale
  const heldBack = await readAllHeldBack(run, saleId)
  const counted = await readDrift(run, saleId, holdAgeMs)
  const due = await dueReleases(run.table, saleId)
  const drift = due.length > 0 ? null : counted
  if (drift !== null) run.meter.count('Drift', Math.abs(drift))
  const refused = await refusedAmong(run, due)
  const differs = due.length > 0 ? refused.size > 0 : isDrifted(drift)
  const needsComparison = full || differs || heldBack.size > 0
  const found = needsComparison ? await checkHolds(run, sale, holdAgeMs) : undefined
  const needsCompleteList = refused.size > 0 || heldBack.size > 0
  const isComplete = !needsCompleteList || (await allHaveHolds(run, saleId, found))
  const owned = new Set(found?.active?.flatMap(({ packet }) => packet?.number ?? []))
  const ready = due
    .filter(({ orderId }) => isComplete || !refused.has(orderId))
    .map((order) => ({ ...order, isPacketTaken: owned.has(refused.get(order.orderId)?.packet?.number ?? -1) }))
  const released = await releaseUnits(run, saleId, ready)
  const sell = sale.kind === 'red-packet' ? sellHeldPackets : sellHeldBack
  if (isComplete) for (const [shard, ended] of heldBack) await sell(run, shard, sale, ended)
  const isBroken = isUnexplained(drift, found) && (await isMiscounted(run, saleId))
  return { drift, holds: found?.checked, released, isBroken }
}

async function readAllHeldBack(ports: RepairPorts, saleId: SaleId): Promise<ReadonlyMap<Commander, HeldBackStatus>> {
  const heldBack = new Map<Commander, HeldBackStatus>()
  for (const shard of await shardsOf(ports.stock, saleId)) {
    const found = await readHeldBackStatus(ports, shard, saleId)
    if (found !== undefined) heldBack.set(shard, found)
  }
  return heldBack
}

const isDrifted = (drift: number | null) => drift !== null && drift !== 0

/** True when comparing every hold did not explain the difference of the counters. */
const isUnexplained = (drift: number | null, found: Comparison | undefined) =>
  isDrifted(drift) && found?.active !== undefined && Object.values(found.checked).every((orders) => orders === 0)

/** True when every active order was listed, and so has its hold by now. */
async function allHaveHolds(run: Run, saleId: SaleId, found: Comparison | undefined): Promise<boolean> {
  const listed = found?.active
  if (listed !== undefined && (await isCompleteList(run, saleId, listed))) return true
  run.log.warn('releases stay due: an order that Redis has lost may not be listed yet', { saleId })
  return false
}

async function refusedAmong({ table }: RepairPorts, due: readonly FinalOrder[]): Promise<ReadonlyMap<OrderId, Order>> {
  if (due.length === 0) return new Map()
  const orders = await findWrittenOrders(table, orderIdsOf(due))
  return new Map([...orders].filter(([, { reason }]) => reason === 'over-cap' || reason === 'over-limit'))
}

/**
 * The findings. `drift` is booked − sold before any correction, null when unknown. `holds` is undefined when no comparison was
 * needed. `released` counts orders whose release was still due.
 */
export type ReconciledSale = OutboxResent & {
  state: Repaired['kind']
  drift: number | null
  holds: HoldsChecked | undefined
  released: number
}

/** The result of `dispatchAndRepair`; `unfinishedChange` is why a stock change could not be finished. */
type DispatchedAndRepaired = OutboxResent & Pick<ReconciledSale, 'state'> & { unfinishedChange?: unknown }

/** The result of `compareCounts`; `isBroken`: no hold explains the counters, so the sale is to be rebuilt. */
type CountsCompared = Pick<ReconciledSale, 'drift' | 'holds' | 'released'> & { isBroken: boolean }

/**
 * Reports a cap whose parts do not add up to the stock: units left and units sold must equal the stock of the sale, and of each
 * variant (I4, N1). Nothing corrects a difference, because either number may be wrong. Units that move between parts may be
 * counted twice, so a difference counts only when all parts were read at the same moment.
 * @throws when the table is unavailable
 */
export async function checkCap(
  { table, meter, log }: Pick<RepairPorts, 'table' | 'meter' | 'log'>,
  { saleId }: Sale,
): Promise<void> {
  const before = await findSale(table, saleId)
  if (before === undefined) return
  const { stock } = before.sale
  if (differenceOf(before.sale, await saleTotals(table, saleId)) === 0) return
  const totals = await saleTotalsSnapshot(table, saleId)
  const after = await findSale(table, saleId)
  const difference = differenceOf(before.sale, totals)
  // A change of the stock changes the sale and its cap together.
  if (difference === 0 || after?.revision !== before.revision) return
  meter.count('CapMismatch', difference)
  const { remaining, sold, variants } = totals ?? {}
  const byVariant = Object.entries(variants ?? {}).map(([id, one]) => `${id} ${one.left} + ${one.sold}`)
  const facts = { saleId, stock, remaining, sold, ...(variants && { variants: byVariant }) }
  log.error('units left and units sold are not the stock', facts)
}

/** Returns the difference in units of the sale, or of its variants if larger; 0 for an unlimited stock or unknown totals. */
function differenceOf({ stock, variants = [] }: Sale, totals: SaleTotals | undefined): number {
  if (stock === -1 || totals === undefined) return 0
  const byVariant = variants.map((variant) => {
    const { left, sold } = ownValue(totals.variants, variant.id) ?? { left: 0, sold: 0 }
    return Math.abs(left + sold - variant.stock)
  })
  const ofVariants = byVariant.reduce((sum, units) => sum + units, 0)
  return Math.max(Math.abs(totals.remaining + totals.sold - stock), ofVariants)
}
