/**
 * Exports and erases all data that the shop stores of one shopper, without a scan of the table. Items with the shopper in
 * their key, or in the index of the shopper's orders, are read directly. Totals, emails and items of options have their
 * sale in the key, so every sale costs a key in a batch of a hundred and a query: 10 batches and 1,000 queries for 1,000
 * sales, plus the reads of options.
 */
import { randomUUID } from 'node:crypto'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { type ErasedPerson, type PersonData, personalParts } from '../../core/api/own-data.ts'
import { blockField } from '../../core/gate/block.ts'
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { joined } from '../../core/lib/fold.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import { orderName } from '../../core/orders/order-number.ts'
import { people } from '../../options/registry/people.ts'
import { refusal } from '../control/answers.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
import type { ShopContext, Table } from '../lib/shop/shop.ts'
import type { Actor } from '../sales/audit.ts'
import { addAuditEntry } from '../table/audit.ts'
import { deleteBatch, readEach } from '../table/batch.ts'
import * as keys from '../table/keys.ts'
import { readEntries } from '../table/list.ts'
import { addToBuyer, subtractFromBuyer } from '../table/orders/buyer-item.ts'
import { orderItem } from '../table/orders/order-item.ts'
import { allOrders } from '../table/orders/orders.ts'
import { contactPurpose } from '../table/people/contact-item.ts'
import { deliveryPurpose } from '../table/people/deliveries.ts'
import { type Item, queryPartition } from '../table/query.ts'
import { transact } from '../table/transaction.ts'
import { toFoundOrder } from './find-orders.ts'
import {
  type ErasureOutcome,
  erasedStep,
  erasureOutcomeOf,
  type PersonFacts,
  type PersonItem,
  type PersonOption,
  personPartOf,
} from './person-items.ts'
import { retiredItems } from './retired-items.ts'

export type PersonPorts = Pick<ShopContext, 'table' | 'sealer' | 'clock'>

const options: readonly PersonOption[] = [...joined(people, 'items'), ...retiredItems()]

/** Concurrent queries. */
const concurrency = 25

type DecidedItem = PersonItem & { outcome: ErasureOutcome }

/** Exports the shopper's data. @throws when the table is unavailable, UnexpectedItem */
export async function exportPerson(ports: PersonPorts, shopperId: ShopperId): Promise<PersonData> {
  const found = await decideItems(ports, shopperId)
  const shown = await Promise.all(found.map(async (one) => ({ part: personPartOf(one), row: await toRow(ports, one) })))
  return {
    ...{ shopperId, at: ports.clock() },
    parts: personalParts.flatMap((part) => {
      const items = shown.filter((one) => one.part === part).map(({ row }) => row)
      return items.length === 0 ? [] : [{ part, items }]
    }),
    kept: keptOf(found),
    open: openOf(found),
  }
}

/** `open`: nothing was erased, because the orders with these names have not ended. */
export type ErasureResult = ({ kind: 'erased' } & ErasedPerson) | { kind: 'open'; orders: readonly string[] }

/**
 * Erases all data that no law and no running sale requires. Repeatable; a repeat completes an interrupted call. The audit
 * records who erased how many items, but not whose.
 * @throws when the table is unavailable; a part may be erased
 */
export async function erasePerson(ports: PersonPorts, shopperId: ShopperId, actor: Actor): Promise<ErasureResult> {
  const { table, clock } = ports
  const found = await decideItems(ports, shopperId)
  const orders = openOf(found)
  if (orders.length > 0) return { kind: 'open', orders }
  const leaving = found.filter(({ outcome }) => outcome === 'erase' || outcome === 'rename')
  const erased = [...Map.groupBy(leaving, personPartOf)].map(([part, { length: count }]) => ({ part, count }))
  const kept = keptOf(found)
  if (erased.length > 0) {
    const sum = (counts: readonly { count: number }[]) => counts.reduce((all, { count }) => all + count, 0)
    const after = { erased: sum(erased), kept: sum(kept) }
    await addAuditEntry(table, { ...actor, what: 'erase-person', saleId: null, when: clock(), before: null, after })
  }
  // The contact first, so that no email about the other changes finds an address.
  await deleteBatch(table, keysOf(leaving.filter(({ kind }) => kind === 'contactKey')))
  const name = parseShopperId(`erased:${randomUUID()}`) ?? shopperId
  for (const one of leaving.filter(({ outcome }) => outcome === 'rename')) await rename(ports, one, name)
  await deleteBatch(table, keysOf(leaving.filter(({ outcome }) => outcome === 'erase')))
  return { kind: 'erased', erased, kept }
}

const keysOf = (found: readonly PersonItem[]) => found.map(({ key }) => key)

/** Exports the shopper's data for staff, and records that in the audit. */
export async function exportForStaff(ports: PersonPorts, shopperId: ShopperId, actor: Actor): Promise<PersonData> {
  const data = await exportPerson(ports, shopperId)
  const items = data.parts.reduce((all, part) => all + part.items.length, 0)
  await addAuditEntry(ports.table, {
    ...{ ...actor, what: 'export-person', saleId: null, when: data.at, before: null, after: { items } },
  })
  return data
}

/** Answers with the erasure, or with a refusal that names the open orders. */
export function erasureAnswer(result: ErasureResult): ErasedPerson | HttpAnswer {
  if (result.kind === 'erased') return { erased: result.erased, kept: result.kept }
  return refusal({ reason: 'orders-open', values: { orders: result.orders.join(', ') } })
}

const openOf = (found: readonly DecidedItem[]): string[] =>
  found.flatMap(({ outcome, order }) => (outcome === 'open' && order ? [orderName(order)] : []))

/** Counts the kept items by part and reason, with the latest time of each. */
function keptOf(found: readonly DecidedItem[]): ErasedPerson['kept'] {
  const kept = found.flatMap((one) =>
    typeof one.outcome === 'object' ? [{ ...one.outcome, part: personPartOf(one) }] : [],
  )
  return [...Map.groupBy(kept, ({ part, reason }) => `${part} ${reason}`).values()].flatMap((group) => {
    const [first] = group
    const untils = group.map(({ until }) => until).filter((until) => until !== null)
    const until = untils.length < group.length ? null : Math.max(...untils)
    return first === undefined ? [] : [{ part: first.part, reason: first.reason, count: group.length, until }]
  })
}

async function decideItems(ports: PersonPorts, shopperId: ShopperId): Promise<DecidedItem[]> {
  const { items, archived } = await findItems(ports.table, shopperId)
  const facts: PersonFacts = { now: ports.clock(), items, isArchived: (saleId) => archived.has(saleId) }
  return items.map((one) => ({ ...one, outcome: erasureOutcomeOf(one, facts) }))
}

type ItemQuery = Omit<PersonItem, 'item'>

async function findItems(
  table: Table,
  shopperId: ShopperId,
): Promise<{ items: readonly PersonItem[]; archived: ReadonlySet<SaleId> }> {
  const [bought, packets, current, archived] = await Promise.all([
    allOrders(table, shopperId),
    allOrders(table, shopperId, keys.packetListKey),
    Promise.all([keys.salesList, keys.draftsList].map((list) => salesOn(table, list))),
    salesOn(table, keys.archivedSalesList),
  ])
  const orders = [...bought, ...packets]
  const saleIds = [...new Set([...current.flat(), ...archived, ...orders.map(({ saleId }) => saleId)])]
  const ofSales = await itemsOfSales(table, shopperId, saleIds)
  const ofOptions = await Promise.all(
    options.map(async (kind) => {
      const found = await kind.find(table, shopperId, saleIds)
      return found.map((one): PersonItem => ({ ...one, kind, key: keyOf(one.item) }))
    }),
  )
  const queries: ItemQuery[] = [
    { kind: 'contactKey', key: keys.contactKey(shopperId) },
    { kind: 'blockKey', key: keys.blockKey(blockField({ kind: 'shopper', value: shopperId })) },
    ...orders.flatMap((order): ItemQuery[] => {
      const { orderId, saleId } = order
      return [
        { kind: 'orderKey', key: keys.orderKey(orderId), saleId, order },
        { kind: 'deliveryKey', key: keys.deliveryKey(orderId), saleId, order },
        { kind: 'releaseKey', key: keys.releaseKey(saleId, orderId), saleId, order },
      ]
    }),
    ...saleIds.map((saleId): ItemQuery => ({ kind: 'buyerKey', key: keys.buyerKey(saleId, shopperId), saleId })),
  ]
  const read = await readEach(table, queries, ({ key }) => key)
  return {
    archived: new Set(archived),
    items: [...read.map(({ of, item }) => ({ ...of, item })), ...ofSales, ...ofOptions.flat()],
  }
}

const keyOf = ({ pk, sk }: Item): keys.ItemKey => ({ pk: String(pk), sk: String(sk) })

async function salesOn(table: Table, list: string): Promise<SaleId[]> {
  return (await readEntries(table, list)).map(({ listSk }) => keys.readSalePlace(listSk).saleId)
}

/** Reads the emails about sales. */
async function itemsOfSales(table: Table, shopperId: ShopperId, saleIds: readonly SaleId[]): Promise<PersonItem[]> {
  const items: PersonItem[] = []
  for (const some of slicesOf(saleIds, concurrency)) {
    const found = await Promise.all(
      some.map(async (saleId) => {
        const mails = await queryPartition(table, keys.saleMailKey(saleId, shopperId, 0).pk)
        return mails.map((item) => ({ kind: 'saleMailKey' as const, key: keyOf(item), item, saleId }))
      }),
    )
    items.push(...found.flat())
  }
  return items
}

/** Returns an item as the shopper may read it: with the values of its key, and decrypted. */
async function toRow({ sealer }: PersonPorts, found: PersonItem): Promise<Record<string, unknown>> {
  const { kind, key, item, saleId, order } = found
  if (kind === 'orderKey' && order !== undefined) {
    const { source, packet } = order
    return { ...toFoundOrder(order), ...(source !== undefined && { source }), ...(packet && { packet }) }
  }
  const { pk, sk, listPk, listSk, sealed, expiresAt, ...rest } = item
  const facts = {
    kind: typeof kind === 'object' ? kind.kind : kind.replace(/Key$/, ''),
    ...(saleId !== undefined && { saleId }),
    ...(order !== undefined && { orderId: order.orderId }),
    ...found.facts,
    ...rest,
    ...(typeof expiresAt === 'number' && { expiresAt: expiresAt * 1000 }),
  }
  if (typeof sealed !== 'string') return facts
  const purpose = order === undefined ? contactPurpose(keys.shopperOfContact(key.pk)) : deliveryPurpose(order.orderId)
  const { aud, ...content } = (await sealer.open(purpose, sealed)) ?? {}
  return { ...facts, ...content }
}

/** Replaces the shopper's id with `name`. @throws when the order has changed since it was read */
async function rename(ports: PersonPorts, { key, order }: PersonItem, name: ShopperId): Promise<void> {
  const { client, name: TableName } = ports.table
  if (order === undefined) {
    await client.send(
      new UpdateCommand({
        ...{ TableName, Key: key, UpdateExpression: 'SET shopperId = :name' },
        ...{ ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeValues: { ':name': name } },
      }),
    )
    return
  }
  const { saleId, shopperId, quantity, status } = order
  const put = putIfUnchanged(ports, order, { ...order, shopperId: name })
  const total = addToBuyer(TableName, { saleId, shopperId: name }, quantity, Number.MAX_SAFE_INTEGER)
  // A later release of the units must reduce the total of the same name.
  const moved =
    holdsUnits(status) && order.packet === undefined
      ? [subtractFromBuyer(TableName, { saleId, shopperId }, quantity), total]
      : []
  if ((await transact(ports.table, [{ Put: put }, ...moved])) === 'written') return
  throw new Error(`${order.orderId} changed while its shopper was erased`)
}

/** Returns a put of the order with one more step, on condition that the stored order is the one that was read. */
function putIfUnchanged({ table, clock }: PersonPorts, before: Order, after: Order) {
  const step = { at: clock(), what: erasedStep, status: before.status }
  return {
    TableName: table.name,
    Item: orderItem({ ...after, history: [...before.history, step] }),
    ConditionExpression: 'size(history) = :seen',
    ExpressionAttributeValues: { ':seen': before.history.length },
  }
}
