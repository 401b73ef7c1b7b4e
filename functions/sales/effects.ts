/**
 * Applies a sale to Redis, the gate and the public objects. The table is the source of truth; the others follow in
 * this order, and every step may be repeated. One function serves every change: repeating any action, or the scheduled
 * repair, completes what a crash left undone.
 *
 *   1 stock      the script decides by the new state before it is published; packets and the scripts
 *                of the sale's requests are loaded
 *   2 gate       every instance has it within a second; no client has a new start token yet
 *   2b edge      rejects most clicks that cannot win, some seconds late; it admits none
 *   3 catalogue  the gate must know the sale before the first request for it arrives (B4)
 *   4 countdown  the new version exists before the pointer names it (C6)
 *   5 pointer    tells waiting pages of the change
 *   6 pages      texts and pictures
 *   7 options    what an option does with a changed sale
 */

import type { SaleId } from '../../core/ids.ts'
import { eachOf } from '../../core/lib/fold.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { mapParts, stockParts, withParts } from '../../core/stock/divided-units.ts'
import { openEscrow } from '../../core/stock/escrow.ts'
import { steps } from '../../options/registry/steps.ts'
import { reserveScript } from '../../redis/buy/reserve.ts'
import { toError } from '../../redis/errors.ts'
import { type GateFacts, gateFactsOf, readGate, removeGate, setGate } from '../../redis/gate/gate.ts'
import { removeList } from '../../redis/gate/members.ts'
import { listSale } from '../../redis/gate/shared-lists.ts'
import { isSplit, onlyShard, shardsOf } from '../../redis/shards.ts'
import { readStock, removeStock } from '../../redis/stock/stock.ts'
import { updateDefinition, type WarmSale, warmStock } from '../../redis/stock/warm.ts'
import { repeatUntilStable } from '../lib/retry.ts'
import type { ShopContext, StockPorts, StorePorts } from '../lib/shop/shop.ts'
import { invitedListPk } from '../table/keys.ts'
import { removeParts } from '../table/partitions.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { findDeletedSale } from '../table/sale/sales.ts'
import { addEscrow } from '../table/stock/escrows.ts'
import { replenishAdmissions } from './admissions.ts'
import { createBalancer } from './balancer.ts'
import { loadSalePackets } from './load-packets.ts'
import { isRolledBack } from './published-state.ts'
import { addToCatalogue, publishCatalogue } from './publishing/catalogue.ts'

/** The ports for a change of a sale, with its effects on the stock, the gate and the public objects. */
export type SalePorts = StorePorts & Pick<ShopContext, 'publisher' | 'sleep' | 'randomBytes'>

/** Safe to repeat. */
type SaleEffect = (ports: Pick<SalePorts, 'table' | 'clock'>, sale: Sale) => Promise<void>
const optionEffects: readonly SaleEffect[] = eachOf(steps, 'effect')

const optionPartitions: readonly ((saleId: SaleId) => readonly string[])[] = eachOf(steps, 'partitionsOf')

/** `stock-missing`: the sale should be on, but Redis has lost its stock; `recover` must restore it first. */
export type Applied = 'applied' | 'stock-missing'

/** Applies all effects. Does not publish a sale whose stock is missing. */
export async function applyEffects(ports: SalePorts, record: SaleRecord): Promise<Applied> {
  const { publisher } = ports
  const { sale } = record
  const { saleId, warmed } = sale
  if ((await applyToStores(ports, record)) === 'stock-missing') return 'stock-missing'
  await publisher.edge(saleId)
  await addToCatalogue(ports, saleId)
  await publisher.countdown(record.sale)
  await publisher.pointer(saleId)
  await publisher.page(saleId)
  // The index lists no drafts.
  if (warmed) await publisher.index(saleId)
  for (const effect of optionEffects) await effect(ports, sale)
  return 'applied'
}

/** Applies steps 1 and 2, which no client sees. A sale without its stock can be closed, not opened. */
export async function applyToStores(ports: SalePorts, { sale, ...record }: SaleRecord): Promise<Applied> {
  if (sale.warmed) {
    // Before the first request (S3): otherwise that of each instance would be answered NOSCRIPT, and send the whole text.
    await reserveScript.load(ports.stock)
    if (sale.epoch === 0) await warmAllShards(ports, { ...record, sale })
    await loadSalePackets(ports, sale)
    const flipped = sale.epoch === 0 ? undefined : await flipIfPresent(ports, sale)
    if (flipped === 'missing' && sale.flag === 'on') return 'stock-missing'
    await publishToGate(ports, sale)
    // The gate and the other shards are closed by now, but an unavailable shard may still sell (I6).
    if (flipped instanceof Error && sale.flag !== 'on') throw flipped
  } else {
    // Its page and pointer are public, so the gate answers clicks with "not started".
    await setGate(ports.gate, gateFactsOf(sale, { frozen: false }))
  }
  return 'applied'
}

/** Flips the stock. `missing`: none may be opened. Returns an error when some shards of a split stock did not answer. */
async function flipIfPresent(ports: SalePorts, sale: Sale): Promise<'flipped' | 'missing' | Error> {
  const { saleId } = sale
  if (await isSplit(ports.stock, saleId)) return flipShards(ports, sale)
  const gate = await readGateBeforeStock(ports, sale)
  const existing = await readStock(ports.stock, saleId)
  if (existing !== undefined && (await isRolledBack(ports, sale, existing, gate))) return 'missing'
  const { kind } = await updateDefinition(await onlyShard(ports.stock, saleId), sale)
  return kind === 'unknown-sale' ? 'missing' : 'flipped'
}

/**
 * Flips the shards that answer. An unavailable shard does not stop the others, and the tick flips it as soon as it answers. A
 * shard that lost units is recovered separately.
 */
async function flipShards(ports: SalePorts, sale: Sale): Promise<'flipped' | 'missing' | Error> {
  const shards = await shardsOf(ports.stock, sale.saleId)
  const flips = await Promise.all(shards.map((shard) => updateDefinition(shard, sale).catch(toError)))
  const failed = flips.find((one) => one instanceof Error)
  if (failed !== undefined && flips.every((one) => one instanceof Error)) throw failed
  if (failed !== undefined) return failed
  return flips.every((one) => !(one instanceof Error) && one.kind === 'unknown-sale') ? 'missing' : 'flipped'
}

/**
 * Warms the whole stock. Shards of a split stock start without units, so that a shard that is warmed again after a loss sells
 * none; the balancer grants the first units.
 * @throws when a part is unavailable
 */
export async function warmAllShards(ports: StockPorts, record: SaleRecord): Promise<void> {
  const sale = warmSaleOf(record)
  const shards = await shardsOf(ports.stock, sale.saleId)
  if (shards.length === 1) {
    await warmStock(await onlyShard(ports.stock, sale.saleId), sale)
    return
  }
  const parts = stockParts(sale)
  await addEscrow(ports.table, sale.saleId, openEscrow(parts, shards.length, sale.lastChange))
  const empty = withParts(
    { ...sale, lastChange: 0 },
    mapParts(parts, () => 0),
  )
  await Promise.all(shards.map((shard) => warmStock(shard, empty)))
  await createBalancer(ports)(sale)
}

/**
 * Reads the gate before the stock. An unavailable gate must not prevent closing a sale, so unless the flag is `on` it is read
 * only for a stock that was never opened: that may be a lost stock, or one that a concurrent start opens now.
 */
async function readGateBeforeStock(ports: SalePorts, { saleId, flag }: Sale): Promise<GateFacts | undefined> {
  if (flag === 'on') return readGate(ports.gate, saleId)
  const stock = await readStock(ports.stock, saleId)
  return stock?.epoch === 0 ? readGate(ports.gate, saleId).catch(() => undefined) : undefined
}

/**
 * Publishes a sale and its freeze to the gate. The freeze may change meanwhile, and each writer reads it again after writing,
 * so the last one publishes the latest state. Every round also publishes the admissions, the first before the gate admits a
 * request.
 */
export async function publishToGate(ports: StorePorts, sale: Sale): Promise<void> {
  await repeatUntilStable(
    async () => (await replenishAdmissions(ports, sale.saleId, sale))?.frozen ?? false,
    (frozen) => setGate(ports.gate, gateFactsOf(sale, { frozen })),
  )
}

/**
 * Returns the sale to warm while no shopper can hold units: before its first start, or frozen and with its holds restored.
 * Includes units that a pending stock change adds, because some may have been sold before the stock was lost; the change then
 * finds itself applied.
 */
export function warmSaleOf({ sale, pendingStock, finishedStockChanges }: SaleRecord): WarmSale {
  const added = pendingStock !== undefined && pendingStock.delta > 0 ? pendingStock : undefined
  return { ...sale, lastChange: (added ?? finishedStockChanges.at(-1))?.number ?? 0 }
}

/**
 * Removes an archived sale from Redis: first from the gate, so that no request for it reaches the stock. Its page stays; the
 * index no longer lists it. Safe to repeat. The caller publishes the catalogue once for all removed sales, so that the gate
 * knows without a read.
 */
export async function removeArchived(ports: SalePorts, { saleId }: Sale): Promise<void> {
  const { publisher, clock } = ports
  await listSale(ports.gate, saleId, false, clock())
  await removeGate(ports.gate, saleId)
  await removeStock(ports.stock, saleId)
  await publisher.edge(saleId)
  await publisher.page(saleId)
  await publisher.index(saleId)
}

/**
 * Removes the effects of a deleted sale. It was never started, so no shopper holds units. Its catalogue entry goes last,
 * because reconcile finds an interrupted deletion by that entry.
 */
async function removeEffects(ports: SalePorts, sale: Sale): Promise<void> {
  const { publisher, clock } = ports
  const { saleId, warmed } = sale
  await setGate(ports.gate, gateFactsOf({ ...sale, flag: 'closed', version: sale.version + 1 }, { frozen: false }))
  await removeList(ports.gate, saleId)
  if (warmed) await removeStock(ports.stock, saleId)
  await publisher.withdraw(saleId)
  await publisher.edge(saleId)
  await listSale(ports.gate, saleId, false, clock())
  // This may take long; after an interruption reconcile continues.
  const parts = optionPartitions.flatMap((partitionsOf) => partitionsOf(saleId))
  await removeParts(ports.table, [invitedListPk(saleId), ...parts])
  await publishCatalogue(ports)
}

/** Removes what is left of `saleId` if it was deleted; true when it was. @throws when a part is unavailable */
export async function finishDeletion(ports: SalePorts, saleId: SaleId): Promise<boolean> {
  const deleted = await findDeletedSale(ports.table, saleId)
  if (deleted === undefined) return false
  await removeEffects(ports, deleted)
  return true
}
