/**
 * The marketer's changes. Each change is saved with its audit entry under the revision that was read, then its effects are
 * applied. After a crash in between, a repeat of the call finds the change saved and applies the effects.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '../../core/audit.ts'
import type { SaleId } from '../../core/ids.ts'
import { allPackets } from '../../core/packets/packets.ts'
import { definitionOf, type Sale, type SaleDefinition, type SaleEdit } from '../../core/sale/sale.ts'
import { earlyClickMs, needsTick } from '../../core/sale/sale-life.ts'
import { stocksById } from '../../core/sale/variants.ts'
import { type LockPorts, withLock } from '../lib/lock.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { type Actor, auditOf } from '../sales/audit.ts'
import { applyEffects, applyToStores, finishDeletion, type SalePorts } from '../sales/effects.ts'
import { tryFinishStockChange } from '../sales/finish-stock-change.ts'
import { placementFor } from '../sales/placed-sales.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { addSale, findDeletedSale, findSale, type NewCap, removeSale, saveSale } from '../table/sale/sales.ts'
import * as steps from './steps.ts'

export type ControlPorts = SalePorts &
  LockPorts &
  Pick<ShopContext, 'newToken' | 'chargeLimits' | 'databases' | 'hasCheckout' | 'allowsLoopback' | 'wake'>

/**
 * `conflict`: the sale was changed meanwhile. `stock-missing`: the change is saved, but Redis has lost the stock; the change
 * takes effect after a recovery. `busy`: the stock is being warmed or recovered.
 */
export type Outcome =
  | { kind: 'done'; sale: Sale }
  | { kind: 'no-sale' | 'conflict' | 'stock-missing' | 'id-taken' | 'busy' }
  | Exclude<steps.SaleStep, { kind: 'changed' | 'same' }>

const archived: Outcome = { kind: 'refused', reason: 'archived' }

/** Each action with its name in the audit log. `resumeWithAll` resumes what `pauseWithAll` paused. */
const actions = {
  pause: ['pause', steps.pause],
  resume: ['resume', steps.resume],
  close: ['close', steps.close],
  pauseWithAll: ['pause', steps.pauseWithAll],
  resumeWithAll: ['resume', steps.resumeWithAll],
} as const

export type Action = keyof typeof actions

/** Creates a sale. A repeat finds the sale that it created, if unchanged since, and publishes it again. */
export async function createSale(ports: ControlPorts, actor: Actor, definition: SaleDefinition): Promise<Outcome> {
  const now = ports.clock()
  const made = steps.newSale(definition, now)
  if (made.kind === 'invalid') return made
  const { sale } = made
  const fault = steps.faultInShop(sale, ports, (await ports.databases()).length)
  if (fault !== undefined) return fault
  const past = steps.faultOfEnd(definition, now)
  // A repeat of a successful call gets the same answer, however late it arrives.
  if (past !== undefined && (await findSale(ports.table, sale.saleId)) === undefined) return past
  const audit = auditOf({ ...actor, what: 'create', saleId: sale.saleId, when: now }, null, sale)
  if ((await addSale(ports.table, sale, audit)) === 'saved') {
    return apply(ports, { sale, revision: 1, finishedStockChanges: [] })
  }
  const existing = await findSale(ports.table, sale.saleId)
  const same =
    existing?.sale.archivedAt === undefined &&
    existing?.sale.version === sale.version &&
    isDeepStrictEqual(definitionOf(existing.sale), definition)
  return same ? apply(ports, existing) : { kind: 'id-taken' }
}

export function act(ports: ControlPorts, actor: Actor, saleId: SaleId, action: Action): Promise<Outcome> {
  const [what, step] = actions[action]
  return change(ports, { ...actor, what, saleId }, (sale, now) => step(sale, now, ports.newToken))
}

/** Warms a sale, one worker at a time (B3). Its shards get databases with room at the time of the sale (S16). */
export async function warmSale(
  ports: ControlPorts,
  actor: Actor,
  saleId: SaleId,
  applySale = applyEffects,
): Promise<Outcome> {
  const databases = await ports.databases()
  const done = await withLock(ports, saleId, async () => {
    const existing = databases.length === 1 ? undefined : await findSale(ports.table, saleId)
    const choose = await placementFor(ports, existing?.sale, databases)
    return change(ports, { ...actor, what: 'warm', saleId }, (sale, now) => steps.warm(sale, now, choose), applySale)
  })
  return done.kind === 'busy' ? { kind: 'busy' } : done.value
}

/** Starts the sale. `startsNow` moves `startsAt` to now. Warms the sale first where needed. */
export async function startSale(
  ports: ControlPorts,
  actor: Actor,
  saleId: SaleId,
  startsNow: boolean,
): Promise<Outcome> {
  const record = await findSale(ports.table, saleId)
  if (record?.sale.archivedAt !== undefined) return archived
  // Loading packets takes a while, and an interrupted load has published nothing else of the sale.
  const isHalfWarm = record?.sale.epoch === 0 && record.sale.kind === 'red-packet'
  if (record?.sale.warmed === false || isHalfWarm) {
    // The start publishes the sale a moment later.
    const warmed = await warmSale(ports, actor, saleId, applyToStores)
    if (warmed.kind !== 'done') return warmed
  } else if (record?.sale.epoch === 0) {
    // Only the gate knows that a stock that was never opened has sold nothing, so publish the sale to it first.
    await applyToStores(ports, record)
  }
  const started = await change(ports, { ...actor, what: 'start', saleId }, (sale, now) =>
    steps.start(sale, now, ports.newToken, startsNow),
  )
  if (started.kind === 'no-sale') await clearIfDeleted(ports, saleId)
  return started
}

export async function editSale(ports: ControlPorts, actor: Actor, saleId: SaleId, changes: SaleEdit): Promise<Outcome> {
  const databases = await ports.databases()
  return change(ports, { ...actor, what: 'edit', saleId }, (sale, now) => {
    const step = steps.edit(sale, now, changes)
    if (step.kind !== 'changed') return step
    return steps.faultInShop(step.sale, ports, databases.length) ?? step
  })
}

/** Deletes a sale that was never started. Its id stays taken, because caches may hold its countdown for a year. */
export async function deleteSale(ports: ControlPorts, actor: Actor, saleId: SaleId): Promise<Outcome> {
  const record = await findSale(ports.table, saleId)
  const sale = record?.sale ?? (await findDeletedSale(ports.table, saleId))
  if (sale === undefined) return { kind: 'no-sale' }
  if (sale.archivedAt !== undefined) return archived
  if (sale.epoch > 0) return { kind: 'refused', reason: 'was-started' }
  if (record !== undefined) {
    const audit = auditOf({ ...actor, what: 'delete', saleId, when: ports.clock() }, sale, null)
    if ((await removeSale(ports.table, record, audit)) === 'conflict') return { kind: 'conflict' }
  }
  await finishDeletion(ports, saleId)
  return { kind: 'done', sale }
}

/** The interval of the schedule: within it a run lists every sale, ms. */
const scheduleMs = 60_000

async function change(
  ports: ControlPorts,
  { saleId, ...by }: Actor & { what: AuditAction; saleId: SaleId },
  step: (sale: Sale, now: number) => steps.SaleStep,
  applySale = applyEffects,
): Promise<Outcome> {
  const record = (await tryFinishStockChange(ports, saleId))?.record
  if (record === undefined) return { kind: 'no-sale' }
  const { sale, revision, ...kept } = record
  if (sale.archivedAt !== undefined) return archived
  const now = ports.clock()
  const next = step(sale, now)
  const applied = async (changed: SaleRecord) => {
    const outcome = await apply(ports, changed, applySale)
    const { epoch, flag } = changed.sale
    const sells = epoch > 0 && flag !== 'paused' && needsTick(changed.sale, now, now + scheduleMs)
    const isTicked = sale.epoch > 0 && now >= sale.startsAt - earlyClickMs && now < sale.endsAt
    // No scheduled run may know of the sale yet. If this is a repeat, the first call may have ended before the wake-up.
    if (sells && (next.kind === 'same' || !isTicked)) await ports.wake(saleId, true)
    return outcome
  }
  if (next.kind === 'same') return applied(record)
  if (next.kind !== 'changed') return next
  const audit = auditOf({ ...by, saleId, when: now }, sale, next.sale)
  const opensCap = !sale.warmed && next.sale.warmed
  const saved = await saveSale(
    ports.table,
    revision,
    { ...kept, sale: next.sale },
    { audit, ...(opensCap ? { cap: newCapOf(sale) } : {}) },
  )
  return saved === 'conflict' ? { kind: 'conflict' } : applied({ ...kept, sale: next.sale, revision: revision + 1 })
}

/** Returns the cap that opens: units of the sale and its variants, and for red packets the money of all windows. */
function newCapOf(sale: Sale): NewCap {
  const { stock, packets, variants } = sale
  return {
    stock,
    ...(packets && { budget: allPackets(sale).totalAmount }),
    ...(variants && { units: stocksById(variants) }),
  }
}

async function apply(ports: ControlPorts, record: SaleRecord, applySale = applyEffects): Promise<Outcome> {
  const applied = await applySale(ports, record)
  if (await clearIfDeleted(ports, record.sale.saleId)) return { kind: 'no-sale' }
  return applied === 'applied' ? { kind: 'done', sale: record.sale } : { kind: 'stock-missing' }
}

/** Removes what this change added if another marketer deleted the sale meanwhile. */
async function clearIfDeleted(ports: ControlPorts, saleId: SaleId): Promise<boolean> {
  if ((await findSale(ports.table, saleId)) !== undefined) return false
  return finishDeletion(ports, saleId)
}
