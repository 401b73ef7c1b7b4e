/**
 * Rebuilds a sale in Redis from the table, after Redis lost it or was rolled back (P10).
 *
 *   1 freeze     Redis and the gate reject every request for units
 *   2 send       the outbox and retryable dead letters, then wait a moment for messages in flight
 *   3 restore    every order of the table gets its units, or its end, into Redis; held units are
 *                counted
 *   4 unfreeze   the sale is saved and put into the stock under a new epoch. Units that may still be
 *                in flight stay held back (held-back.ts). Shoppers with the old start token fetch
 *                the new one, and find their own order
 *
 * Every step may be repeated, and only the last unfreezes: after an interruption the sale stays closed until a
 * marketer or `reconcile` runs the recovery again (I6).
 *
 * No step waits for an empty queue. All sales share it, so it may never be empty, and SQS counts are approximate. A
 * message that arrives after step 4 takes its units from the held-back ones.
 */
import type { SaleId } from '../../../core/ids.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { latestRevisionOf, publishRestocked, publishSoldOut, readGate } from '../../../redis/gate/gate.ts'
import { isSplit, onlyShard } from '../../../redis/shards.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { withLock } from '../../lib/lock.ts'
import { type Actor, auditOf } from '../../sales/audit.ts'
import { revised } from '../../sales/changed-sale.ts'
import { applyEffects, publishToGate, warmSaleOf } from '../../sales/effects.ts'
import { tryFinishStockChange } from '../../sales/finish-stock-change.ts'
import type { SaleRecord } from '../../table/sale/sale-item.ts'
import { findSale, saveSale } from '../../table/sale/sales.ts'
import { resendOutbox } from '../orders/resend-outbox.ts'
import { rebuildPackets } from '../packets/recover-packets.ts'
import type { RecoveryRun, RepairPorts } from '../ports.ts'
import { maxUnaccounted } from './held-back.ts'
import { type MovePorts, moveShards } from './move-shards.ts'
import { awaitMessages, ordersChanging, rebuildHolds } from './rebuild-holds.ts'
import { type Recovered, recoverShards } from './recover-shards.ts'

/** Time limit of the wait for the list of orders, in a function with a timeout of 30 s. */
export const recoveryTimeLimitMs = 15_000

/** Rebuilds the sale under its lock, by `deadline` (epoch ms) at the latest. @throws when a part is unavailable */
export const recover = (ports: RepairPorts, actor: Actor, saleId: SaleId, deadline: number): Promise<Recovered> =>
  underLock(ports, saleId, (signal) => rebuild({ ...ports, deadline, signal }, actor, saleId))

/** Moves shards out of databases that do not answer, then rebuilds the sale. @throws when a part is unavailable */
export const moveAndRecover = (ports: MovePorts, actor: Actor, saleId: SaleId): Promise<Recovered> =>
  underLock(ports, saleId, async (signal) => {
    const movedShards = await moveShards(ports, actor, saleId, signal)
    const deadline = ports.clock() + recoveryTimeLimitMs
    const recovered = await rebuild({ ...ports, deadline, signal }, actor, saleId)
    return recovered.kind === 'recovered' ? { ...recovered, movedShards } : recovered
  })

async function underLock(
  ports: RepairPorts,
  saleId: SaleId,
  work: (signal: AbortSignal) => Promise<Recovered>,
): Promise<Recovered> {
  const done = await withLock(ports, saleId, work)
  return done.kind === 'busy' ? { kind: 'busy' } : done.value
}

async function rebuild(ports: Omit<RecoveryRun, 'sale'>, actor: Actor, saleId: SaleId): Promise<Recovered> {
  const { table, meter, log, signal } = ports
  const record = await findSale(table, saleId)
  if (record === undefined) return { kind: 'no-sale' }
  const { sale } = record
  if (sale.archivedAt !== undefined) return { kind: 'refused', reason: 'archived' }
  const recovery = { ...ports, sale }
  if (await isSplit(ports.stock, saleId)) return recoverShards(recovery)
  if (!sale.warmed || sale.epoch === 0) {
    return { kind: 'refused', reason: 'never-started' }
  }
  const shard = await onlyShard(ports.stock, saleId)
  await freeze(shard, saleId)
  signal.throwIfAborted()
  await publishToGate(ports, sale)
  await awaitMessages(recovery, () => resendOutbox(ports, sale, 0))
  const restored = await rebuildHolds(recovery, [shard])
  if ('kind' in restored) return restored
  const isRedPacket = sale.kind === 'red-packet'
  const packets = isRedPacket ? await rebuildPackets(recovery, shard) : undefined
  if (isRedPacket && packets === undefined) return ordersChanging
  const unfrozen = await unfreezeSale(ports, actor, saleId, { signal, packets })
  const present = await tryFinishStockChange(ports, saleId)
  const { heldBack } = unfrozen
  await applyEffects(ports, present?.record ?? unfrozen.record)
  if (present?.unfinishedChange !== undefined) throw present.unfinishedChange
  meter.count('SaleRecovered')
  log.warn('sale rebuilt from the table', { saleId, ...restored, heldBack })
  return { kind: 'recovered', sale: (present?.record ?? unfrozen.record).sale, ...restored, heldBack, movedShards: [] }
}

/** `heldBack` units are not sold yet, because orders that Redis has lost may need them. */
type Reopening = { record: SaleRecord; heldBack: number }

/**
 * Unfreezes the stock. The record is saved first, after its units are in Redis, so that a concurrent stock change of an older
 * record becomes a conflict. If a marketer changes the sale meanwhile, Redis refuses and the sale is read again. `packets` red
 * packets are held back.
 */
async function unfreezeSale(
  ports: RepairPorts,
  actor: Actor,
  saleId: SaleId,
  { signal, packets }: { signal: AbortSignal; packets: number | undefined },
): Promise<Reopening> {
  const { clock } = ports
  const shard = await onlyShard(ports.stock, saleId)
  const gate = await readGate(ports.gate, saleId)
  const floor = Math.max(gate === undefined ? 0 : latestRevisionOf(gate), 0)
  for (let isRenewed = false; ; ) {
    signal.throwIfAborted()
    const record = await saveReopened(ports, actor, saleId, isRenewed)
    if (record === undefined) continue
    isRenewed = true
    const { sale } = record
    const held = (await readStock(ports.stock, saleId))?.booked ?? 0
    const units = packets ?? (await maxUnaccounted(ports, sale, held))
    const stock = await unfreeze(shard, warmSaleOf(record), floor, { units, since: clock() })
    if (stock.kind === 'superseded') continue
    if (stock.kind === 'unknown-sale') throw new Error(`Redis lost the frozen stock of ${saleId} again`)
    await publishRestocked(ports.gate, saleId, stock.stockRevision)
    const heldBack = Math.max(0, stock.booked - held)
    if (stock.total !== -1 && stock.total <= stock.booked && heldBack === 0) {
      await publishSoldOut(ports.gate, saleId, stock.stockRevision)
    }
    return { record, heldBack }
  }
}

/** Saves the sale to unfreeze, once with a new epoch while it can still sell. Undefined after a concurrent save. */
async function saveReopened(
  { table, clock, newToken }: RepairPorts,
  actor: Actor,
  saleId: SaleId,
  isRenewed: boolean,
): Promise<SaleRecord | undefined> {
  const record = await findSale(table, saleId)
  if (record === undefined) throw new Error(`${saleId} was deleted though it was started`)
  const { revision, ...kept } = record
  const { sale } = kept
  const now = clock()
  const opens = !hasEnded(sale, now) && !isRenewed
  const next = opens ? revised(sale, now, { epoch: sale.epoch + 1, startToken: newToken() }) : sale
  const audit = isRenewed ? {} : { audit: auditOf({ ...actor, what: 'recover', saleId, when: now }, sale, next) }
  const saved = await saveSale(table, revision, { ...kept, sale: next }, audit)
  return saved === 'saved' ? { ...kept, sale: next, revision: revision + 1 } : undefined
}
