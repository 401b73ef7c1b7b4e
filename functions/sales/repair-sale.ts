/**
 * Repairs differences between the table and Redis after a crash or an outage. It compares first, so a sale without a difference
 * costs two small reads of Redis. Versions guard all writes, so it may run late, twice, and concurrently with a marketer's
 * change.
 */
import type { SaleId } from '../../core/ids.ts'
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import { variantsSoldOut } from '../../core/sale/variants.ts'
import { areAllZero, plusParts, stockParts } from '../../core/stock/divided-units.ts'
import { unitsOfSale, withTotal } from '../../core/stock/escrow.ts'
import {
  type GateFacts,
  publishRestocked,
  publishSoldOut,
  publishSoldOutVariants,
  readGate,
} from '../../redis/gate/gate.ts'
import { hasReturnableUnits, readReachable, type StockFacts } from '../../redis/stock/stock.ts'
import type { VariantCounters } from '../../redis/stock/units.ts'
import { type LockPorts, withLock } from '../lib/lock.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { findSale } from '../table/sale/sales.ts'
import { findEscrow, saveEscrow } from '../table/stock/escrows.ts'
import { replenishAdmissions } from './admissions.ts'
import { applyEffects, type SalePorts } from './effects.ts'
import { tryFinishStockChange } from './finish-stock-change.ts'
import { minLoadedPackets, packetsUpTo } from './load-packets.ts'
import { hasUnitsOf, isPublishedToGate, isPublishedToStock, isRolledBack } from './published-state.ts'
import { lostShards } from './split-stock.ts'

/**
 * `in-step`: nothing is left to do; another worker may be repairing the sale. `to-recover`: Redis has lost the stock of a
 * started sale or was rolled back, or a recovery was interrupted; `recover` continues. `unfinishedChange` is why a pending
 * stock change could not be finished.
 */
export type Repaired = { kind: 'in-step' | 'repaired' | 'to-recover'; unfinishedChange?: unknown }

type Ports = SalePorts & LockPorts

/** Finishes a pending stock change and applies the sale's effects where Redis or the gate lags, one worker at a time (B3). */
export async function repair(ports: Ports, saleId: SaleId): Promise<Repaired> {
  const present = await tryFinishStockChange(ports, saleId)
  // The sale was deleted meanwhile, and the deletion removes its effects.
  if (present === undefined) return { kind: 'in-step' }
  const kind = await compareAndApply(ports, present.record)
  return { kind, unfinishedChange: present.unfinishedChange }
}

async function compareAndApply(ports: Ports, record: SaleRecord): Promise<Repaired['kind']> {
  const { sale } = record
  const { saleId, warmed, epoch, archivedAt } = sale
  if (archivedAt !== undefined) return 'in-step'
  // Read the gate first: its facts are about an earlier stock.
  const gate = await readGate(ports.gate, saleId)
  // The page of a draft is public, and requests for it are answered from the gate's facts.
  if (!warmed) return isPublishedToGate(sale, gate, undefined) ? 'in-step' : applyUnderLock(ports, record)
  const stock = await readReachable(ports.stock, saleId)
  if (stock?.isSplit) return compareShards(ports, record, stock, gate)
  const isLost =
    epoch > 0 &&
    (stock === undefined ||
      stock.frozen ||
      (await isRolledBack(ports, sale, stock, gate)) ||
      (await hasOtherTotal(ports, record, stock)) ||
      hasLostPackets(ports, sale, stock))
  // First, because the gate is read again only if it differs.
  if (stock !== undefined && !stock.frozen && !isLost) await correctGate(ports, sale, stock, gate)
  const isGateCurrent = isPublishedToGate(sale, gate, stock)
  const isStockCurrent =
    (isPublishedToStock(sale, stock) && hasAllPackets(ports, record, stock)) || (isLost && stock === undefined)
  const applied = isGateCurrent && isStockCurrent ? 'in-step' : await applyUnderLock(ports, record)
  return isLost ? 'to-recover' : applied
}

/** Compares a split stock, whose shards are recovered one by one. The tick publishes to the gate whether it is sold out. */
async function compareShards(
  ports: Ports,
  record: SaleRecord,
  stock: StockFacts,
  gate: GateFacts | undefined,
): Promise<Repaired['kind']> {
  const { sale } = record
  await correctTotal(ports, record)
  const isPublished = isPublishedToGate(sale, gate, stock) && isPublishedToStock(sale, stock)
  const applied = isPublished ? 'in-step' : await applyUnderLock(ports, record)
  const lost = await lostShards(ports, sale.saleId)
  return lost.length > 0 ? 'to-recover' : applied
}

/**
 * Corrects the total of the escrow. Units leave the escrow before the cap, and if the cap refused, the sale still has them.
 * Every stock change is recorded before and after, so without a pending one the escrow must have the units of the sale.
 */
async function correctTotal({ table }: Ports, { sale, revision, pendingStock }: SaleRecord): Promise<void> {
  const { saleId } = sale
  const escrow = await findEscrow(table, saleId)
  if (escrow === undefined || pendingStock !== undefined) return
  const total = stockParts(sale)
  if (areAllZero(plusParts(total, unitsOfSale(escrow), -1))) return
  // A change may have begun between the two reads.
  if ((await findSale(table, saleId))?.revision !== revision) return
  await saveEscrow(table, saleId, escrow.revision, withTotal(escrow, total))
}

async function applyUnderLock(ports: Ports, record: SaleRecord): Promise<'in-step' | 'repaired'> {
  const { kind } = await withLock(ports, record.sale.saleId, () => applyEffects(ports, record))
  return kind === 'busy' ? 'in-step' : 'repaired'
}

/** True when the total in Redis differs. A stock change is recorded before and after, so without one it must be the sale's. */
async function hasOtherTotal(
  { table }: SalePorts,
  { sale, revision, pendingStock }: SaleRecord,
  stock: StockFacts,
): Promise<boolean> {
  if (pendingStock !== undefined || hasUnitsOf(sale, stock)) return false
  // A change may have begun between the two reads.
  return (await findSale(table, sale.saleId))?.revision === revision
}

/**
 * True when Redis has lost packets. A packet leaves the list only with a booked unit: if both are fewer than were loaded, Redis
 * lost some; if more, it gave one out twice.
 */
function hasLostPackets({ clock }: SalePorts, sale: Sale, { packets, booked }: StockFacts): boolean {
  if (sale.kind !== 'red-packet' || hasEnded(sale, clock())) return false
  const { loaded, waiting } = packets ?? { loaded: 0, waiting: 0 }
  return loaded < minLoadedPackets(sale, clock()) || waiting + booked !== loaded
}

/** True while a wave's packets are still to be loaded: its units are added first, and "sold out" in between would be final. */
function hasPacketsToCome({ clock }: SalePorts, sale: Sale, { packets, total }: StockFacts): boolean {
  return packets !== undefined && packets.loaded < total && !hasEnded(sale, clock())
}

/** True when all packets are loaded; otherwise the load is resumed. */
function hasAllPackets(
  { clock }: SalePorts,
  { sale, pendingStock }: SaleRecord,
  stock: StockFacts | undefined,
): boolean {
  if (sale.kind !== 'red-packet' || pendingStock !== undefined || hasEnded(sale, clock())) return true
  return stock?.packets?.loaded === packetsUpTo(sale)
}

/**
 * Corrects the gate. A gate that lost its data also lost `sold out`, which purchases publish once (G4). A gate that missed
 * returned units must learn of them (G7), and first of their admissions.
 */
async function correctGate(
  ports: SalePorts,
  sale: Sale,
  stock: StockFacts,
  published: GateFacts | undefined,
): Promise<void> {
  const { saleId } = sale
  const { available, stockRevision } = stock
  const isSoldOut = available === 0 && !hasReturnableUnits(stock) && !hasPacketsToCome(ports, sale, stock)
  if (!isSoldOut) await correctVariants(ports, saleId, stock, published)
  if (published?.soldOut === isSoldOut) return
  if (!isSoldOut) await replenishAdmissions(ports, saleId)
  if (stockRevision > 0) await publishRestocked(ports.gate, saleId, stockRevision)
  if (isSoldOut) await publishSoldOut(ports.gate, saleId, stockRevision)
}

/** Corrects the sold-out variants. A list that names a variant with units is from an earlier revision, which a restock ends. */
async function correctVariants(
  { gate }: SalePorts,
  saleId: SaleId,
  { variants = {}, stockRevision, isHeldBackFinal }: StockFacts,
  published: GateFacts | undefined,
): Promise<void> {
  const isGone = ({ left, heldBack }: VariantCounters) => left <= 0 && (isHeldBackFinal || heldBack === 0)
  const gone = Object.entries(variants).flatMap(([id, variant]) => (isGone(variant) ? [id] : []))
  const listed = published === undefined ? [] : variantsSoldOut(published)
  const isStale = listed.some((id) => !gone.includes(id))
  if (isStale) await publishRestocked(gate, saleId, stockRevision)
  const known = isStale ? [] : listed
  if (gone.some((id) => !known.includes(id))) {
    await publishSoldOutVariants(gate, saleId, stockRevision, gone)
  }
}
