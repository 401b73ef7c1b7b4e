/**
 * A marketer changes who is on the list of a sale for early access. Safe to repeat (I5): the audit entry comes
 * first, then the table, then the gate's copy, which `reconcile` completes after a crash.
 */

import { maxEarlyList, maxEarlyShoppers } from '../../core/api/early-list.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusals.ts'
import { addMembers, removeMembers } from '../../redis/gate/members.ts'
import { type LockPorts, withLock } from '../lib/lock.ts'
import type { Actor } from '../sales/audit.ts'
import type { Shop } from '../shop/shop.ts'
import { addAuditEntry } from '../table/audit.ts'
import {
  addEarlyShoppers,
  allEarlyShoppers,
  earlyShoppersAmong,
  removeEarlyShoppers,
} from '../table/sale/early-lists.ts'
import { findSale } from '../table/sale/sales.ts'

/** One call: adds `shoppers` to the list, or removes them; `dryRun` only counts. */
export type EarlyStep = { what: 'add' | 'remove'; shoppers: readonly ShopperId[]; dryRun: boolean }

export type EarlyChanged =
  | { kind: 'done'; changed: number; same: number }
  | { kind: 'no-sale' | 'busy' }
  | ({ kind: 'refused' } & Refusal)

/**
 * One call at a time for each sale: the limit is a count of items, which no condition of the table can hold. `busy`
 * after half a second of waiting; nothing was changed.
 * @throws when a part is unavailable; a part of the shoppers may have been changed
 */
export async function changeEarlyList(
  ports: LockPorts & Pick<Shop, 'table' | 'clock'>,
  actor: Actor,
  saleId: SaleId,
  step: EarlyStep,
): Promise<EarlyChanged> {
  if (step.dryRun) return changeAlone(ports, actor, saleId, step)
  const done = await withLock(ports, saleId, () => changeAlone(ports, actor, saleId, step))
  return done.kind === 'busy' ? done : done.value
}

async function changeAlone(
  ports: LockPorts & Pick<Shop, 'table' | 'clock'>,
  actor: Actor,
  saleId: SaleId,
  { what, shoppers, dryRun }: EarlyStep,
): Promise<EarlyChanged> {
  const { gate, table, clock } = ports
  const sale = (await findSale(table, saleId))?.sale
  if (sale === undefined) return { kind: 'no-sale' }
  if (sale.archivedAt !== undefined) return { kind: 'refused', reason: 'archived' }
  if (sale.kind === 'red-packet') return { kind: 'refused', reason: 'no-early-access' }
  const asked = [...new Set(shoppers)]
  const listed = await earlyShoppersAmong(table, saleId, asked)
  const changing = asked.filter((shopperId) => listed.has(shopperId) === (what === 'remove'))
  const done = { kind: 'done', changed: changing.length, same: shoppers.length - changing.length } as const
  if (what === 'add' && changing.length > 0) {
    const isFull = (await allEarlyShoppers(table, saleId)).length + changing.length > maxEarlyList
    if (isFull) return { kind: 'refused', reason: 'early-list-full', values: { limit: maxEarlyList } }
  }
  if (dryRun) return done
  if (changing.length > 0) {
    const after = what === 'add' ? { invited: changing.length } : { uninvited: changing.length }
    await addAuditEntry(table, { ...actor, what: 'early', saleId, when: clock(), before: null, after })
    await (what === 'add' ? addEarlyShoppers : removeEarlyShoppers)(table, saleId, changing)
  }
  // All of them: an earlier call may have been cut off before the gate's copy.
  await (what === 'add' ? addMembers : removeMembers)(gate, saleId, asked)
  return done
}

/** One page of the list; undefined without the sale. */
export async function readEarlyList(
  { table }: Pick<Shop, 'table'>,
  saleId: SaleId,
  after: string | undefined,
) {
  if ((await findSale(table, saleId)) === undefined) return undefined
  const all = await allEarlyShoppers(table, saleId)
  const rest = after === undefined ? all : all.filter((shopperId) => shopperId > after)
  const shoppers = rest.slice(0, maxEarlyShoppers)
  const next = rest.length > shoppers.length ? (shoppers.at(-1) ?? null) : null
  return { count: all.length, shoppers, next }
}
