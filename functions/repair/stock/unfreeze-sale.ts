/**
 * The last step of a recovery: the sale as it shall be is saved, put into the frozen stock, and the
 * freeze lifted.
 */

import type { SaleId } from '../../../core/ids.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { latestRevisionOf, publishRestocked, publishSoldOut, readGate } from '../../../redis/gate/gate.ts'
import { onlyShard } from '../../../redis/shards.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { unfreeze } from '../../../redis/stock/unfreeze.ts'
import { type Actor, auditOf } from '../../sales/audit.ts'
import { revised } from '../../sales/changed-sale.ts'
import { asWarmed } from '../../sales/effects.ts'
import type { SaleRecord } from '../../table/sale/sale-item.ts'
import { findSale, saveSale } from '../../table/sale/sales.ts'
import type { RepairPorts } from '../ports.ts'
import { mostUnaccounted } from './held-back.ts'

/** `heldBack` units are not sold yet: orders that Redis has lost may need them. */
export type Reopening = { record: SaleRecord; heldBack: number }

/**
 * Unfreezes the stock. The record is saved first, after the units it describes are in Redis, so
 * that a concurrent stock change of an older record becomes a conflict. If a marketer changes the
 * sale meanwhile, Redis refuses, and the sale is read again.
 */
export async function unfreezeSale(
  ports: RepairPorts,
  actor: Actor,
  saleId: SaleId,
  signal: AbortSignal,
): Promise<Reopening> {
  const { clock } = ports
  const shard = await onlyShard(ports.stock, saleId)
  const told = await readGate(ports.gate, saleId)
  const floor = Math.max(told === undefined ? 0 : latestRevisionOf(told), 0)
  for (let isRenewed = false; ; ) {
    signal.throwIfAborted()
    const record = await renew(ports, actor, saleId, isRenewed)
    if (record === undefined) continue
    isRenewed = true
    const { sale } = record
    const frozen = await readStock(ports.stock, saleId)
    // Which packets are held back was decided when they were loaded.
    const isRain = sale.kind === 'red-packet'
    const held = (frozen?.booked ?? 0) - (isRain ? (frozen?.heldBack ?? 0) : 0)
    const units = isRain ? undefined : await mostUnaccounted(ports, sale, held)
    const stock = await unfreeze(shard, asWarmed(record), floor, { units, since: clock() })
    if (stock.kind === 'superseded') continue
    if (stock.kind === 'unknown-sale') throw new Error(`Redis lost the frozen stock of ${saleId} again`)
    await publishRestocked(ports.gate, saleId, stock.stockRevision)
    const booked = isRain ? (frozen?.booked ?? 0) : stock.booked
    const heldBack = Math.max(0, booked - held)
    if (stock.total !== -1 && stock.total <= booked && heldBack === 0) {
      await publishSoldOut(ports.gate, saleId, stock.stockRevision)
    }
    return { record, heldBack }
  }
}

/**
 * Saves the sale to be unfrozen, under a new epoch while it can still sell, but one epoch for each
 * recovery. Undefined after a concurrent save.
 */
async function renew(
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
