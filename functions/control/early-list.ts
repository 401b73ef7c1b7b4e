/**
 * A marketer changes who is on the list of a sale for early access. Safe to repeat (I5): the audit entry comes
 * first, then the table, then the gate's copy, which `reconcile` completes after a crash.
 */

import { maxEarlyList, maxEarlyShoppers } from '../../core/api/early-list.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusals.ts'
import { partsOfMember } from '../../core/sale/early-access.ts'
import { addMembers, removeMembers } from '../../redis/gate/members.ts'
import { type LockPorts, withLock } from '../lib/lock.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { Table } from '../lib/shop/table.ts'
import type { Actor } from '../sales/audit.ts'
import { addAuditEntry } from '../table/audit.ts'
import {
  addEarlyShoppers,
  allEarlyShoppers,
  earlyShoppersAmong,
  removeEarlyShoppers,
} from '../table/sale/early-lists.ts'
import { addInvitations, countInvitations, invitationsAmong } from '../table/sale/invitations.ts'
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

/**
 * Adds invitations by their digests, under the same lock. A list has room for the shoppers on it and all codes that can
 * still bring one.
 * @throws as `changeEarlyList`
 */
export async function inviteToEarlyList(
  ports: LockPorts & Pick<Shop, 'table' | 'clock'>,
  actor: Actor,
  saleId: SaleId,
  { digests, dryRun }: { digests: readonly string[]; dryRun: boolean },
): Promise<EarlyChanged> {
  const { table, clock } = ports
  const done = await withLock(ports, saleId, async (): Promise<EarlyChanged> => {
    const refused = await refusalOf(table, saleId)
    if (refused !== undefined) return refused
    const known = await invitationsAmong(table, saleId, [...new Set(digests)])
    const fresh = [...new Set(digests)].filter((digest) => !known.has(digest))
    const { issued, redeemed } = await countInvitations(table, saleId)
    const listed = (await allEarlyShoppers(table, saleId)).length
    if (fresh.length > 0 && listed + issued - redeemed + fresh.length > maxEarlyList)
      return { kind: 'refused', reason: 'early-list-full', values: { limit: maxEarlyList } }
    if (!dryRun && fresh.length > 0) {
      const after = { invitations: fresh.length }
      await addAuditEntry(table, { ...actor, what: 'early', saleId, when: clock(), before: null, after })
      await addInvitations(table, saleId, fresh)
    }
    return { kind: 'done', changed: fresh.length, same: digests.length - fresh.length }
  })
  return done.kind === 'busy' ? done : done.value
}

/** Why the list of a sale cannot change; undefined where it can. */
async function refusalOf(table: Table, saleId: SaleId): Promise<EarlyChanged | undefined> {
  const sale = (await findSale(table, saleId))?.sale
  if (sale === undefined) return { kind: 'no-sale' }
  if (sale.archivedAt !== undefined) return { kind: 'refused', reason: 'archived' }
  if (sale.draw !== undefined) return { kind: 'refused', reason: 'list-drawn' }
  return sale.kind === 'red-packet' ? { kind: 'refused', reason: 'no-early-access' } : undefined
}

async function changeAlone(
  ports: LockPorts & Pick<Shop, 'table' | 'clock'>,
  actor: Actor,
  saleId: SaleId,
  { what, shoppers, dryRun }: EarlyStep,
): Promise<EarlyChanged> {
  const { gate, table, clock } = ports
  const refused = await refusalOf(table, saleId)
  if (refused !== undefined) return refused
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
export async function readEarlyList({ table }: Pick<Shop, 'table'>, saleId: SaleId, after: string | undefined) {
  if ((await findSale(table, saleId)) === undefined) return undefined
  const all = (await allEarlyShoppers(table, saleId)).map((member) => partsOfMember(member).shopperId)
  const rest = after === undefined ? all : all.filter((shopperId) => shopperId > after)
  const shoppers = rest.slice(0, maxEarlyShoppers)
  const next = rest.length > shoppers.length ? (shoppers.at(-1) ?? null) : null
  return { count: all.length, invitations: await countInvitations(table, saleId), shoppers, next }
}
