/**
 * More or fewer units of a sale on the shelf. Redis admits and the cap in the table decides, so the cap must
 * never be the smaller of the two: on the way up it goes first, on the way down it follows. What is under way is
 * kept with the sale, and the next call on that sale finishes what a crash cut off.
 *
 *   up     cap and sale, then Redis           down   Redis, then cap and sale
 */
import type { SaleId } from '../../core/ids.ts'
import { maxStock } from '../../core/sale.ts'
import { type Actor, auditOf } from './audit.ts'
import type { EffectPorts } from './effects.ts'
import type { SaleRecord, SaleShelf } from './sale-shelf.ts'

type Ports = { shelf: SaleShelf; clock: () => number; newId: () => string } & EffectPorts

/** Counters in Redis after the change. */
export type StockOutcome =
  | { kind: 'done'; total: number; booked: number }
  | { kind: 'no-sale' | 'conflict' | 'stock-missing' }
  | { kind: 'refused'; detail: string; field: string }

const refused = (detail: string): StockOutcome => ({ kind: 'refused', detail, field: 'delta' })

/** Adds `delta` units, or takes away as many as nobody holds. */
export async function changeStock(
  ports: Ports,
  actor: Actor,
  saleId: SaleId,
  delta: number,
): Promise<StockOutcome> {
  const settled = await settle(ports, saleId)
  if (settled.kind !== 'record') return settled
  const { sale, revision, pendingStock } = settled.record
  if (pendingStock !== undefined) return { kind: 'stock-missing' }
  if (!sale.warmed) return refused('The stock is not on the shelf yet. Edit the sale instead.')
  if (sale.stock === -1) return refused('The stock is unlimited.')
  const stock = sale.stock + delta
  if (stock < 0 || stock > maxStock) return refused(`The stock must stay between 0 and ${maxStock}.`)

  const now = ports.clock()
  const pending = { changeId: ports.newId(), delta, ...actor }
  const next = delta > 0 ? { ...sale, stock, updatedAt: now } : sale
  const also =
    delta > 0
      ? { audit: auditOf(actor, 'stock', saleId, now, sale, next), cap: { kind: 'add', delta } as const }
      : {}
  const saved = await ports.shelf.save(revision, { sale: next, pendingStock: pending }, also)
  if (saved === 'conflict') return { kind: 'conflict' }
  return finish(ports, { sale: next, revision: revision + 1, pendingStock: pending })
}

export type Settled = { kind: 'record'; record: SaleRecord } | { kind: 'no-sale' | 'conflict' }

/**
 * The sale with no stock change under way. One that Redis has no stock for stays pending: closing such a sale
 * must still be possible.
 */
export async function settle(ports: Ports, saleId: SaleId): Promise<Settled> {
  const record = await ports.shelf.find(saleId)
  if (record === undefined) return { kind: 'no-sale' }
  if (record.pendingStock === undefined) return { kind: 'record', record }
  const finished = await finish(ports, record)
  if (finished.kind === 'conflict' || finished.kind === 'no-sale') return { kind: finished.kind }
  const after = await ports.shelf.find(saleId)
  return after === undefined ? { kind: 'no-sale' } : { kind: 'record', record: after }
}

async function finish(ports: Ports, { sale, revision, pendingStock }: SaleRecord): Promise<StockOutcome> {
  if (pendingStock === undefined) throw new Error('there is no stock change to finish')
  const { saleId } = sale
  const { changeId, delta, ...actor } = pendingStock
  const change = await ports.stock.add(saleId, delta, changeId)
  if (!('total' in change)) {
    if (change.kind === 'unknown-sale') return { kind: 'stock-missing' }
    throw new Error(`the stock of ${saleId} is unlimited only in Redis`)
  }
  if (change.kind === 'below-booked') {
    const saved = await ports.shelf.save(revision, { sale }, {})
    if (saved === 'conflict') return { kind: 'conflict' }
    const free = change.total - change.booked
    return refused(`Only ${free} units are held by nobody. The rest is promised to shoppers.`)
  }
  const now = ports.clock()
  const next = delta < 0 ? { ...sale, stock: sale.stock + delta, updatedAt: now } : sale
  const also =
    delta < 0
      ? { audit: auditOf(actor, 'stock', saleId, now, sale, next), cap: { kind: 'add', delta } as const }
      : {}
  await tellGate(ports, saleId, delta, change)
  if ((await ports.shelf.save(revision, { sale: next }, also)) === 'conflict') return { kind: 'conflict' }
  await ports.publisher.pointer(saleId)
  return { kind: 'done', total: change.total, booked: change.booked }
}

function tellGate(
  { gate }: Ports,
  saleId: SaleId,
  delta: number,
  { total, booked, restocks }: { total: number; booked: number; restocks: number },
): Promise<void> {
  if (delta > 0) return gate.raiseRestocked(saleId, restocks)
  return total === booked ? gate.raiseSoldOut(saleId, restocks) : Promise.resolve()
}
