/** Changes the answers of a table at the wire; the stores are the real ones. */
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { orderPartCount, salesList, shopperOfContact } from '../../functions/table/keys.ts'
import { saleItem } from '../../functions/table/sale/sale-item.ts'
import { saleOrderPages } from '../../functions/table/sale/sale-orders.ts'
import type { SaleTotals } from '../../functions/table/stock/cap-item.ts'
import type { TableItem } from '../../proof/simulation/dynamodb/values.ts'
import { commandJson, onWireAt, type Sent } from '../../proof/simulation/dynamodb/wire.ts'
import { worldTable } from './table.ts'

/** The commands that change written orders. */
export const changesOrders = /^transact .*ORDERS/

/** The orders that a command names. */
export const orderIdsIn = (command: Sent): readonly string[] =>
  [...commandJson(command).matchAll(/"ORDERS#[^"]*"\}?,"sk":(?:\{"S":)?"([^"]+)"/g)].flatMap(([, id]) => id ?? [])

/** The list of orders is empty, as one that lags behind. */
export const withoutOrders = (table: Table): Table => onWireAt(table, 'query ORDERS', async () => ({ Items: [] }))

/** A walk over the orders of the sale reads what `shown` makes of each page; walks are counted from 1. */
export function onWalks(
  table: Table,
  saleId: SaleId,
  shown: (items: readonly TableItem[], walk: number) => readonly TableItem[],
): Table {
  let queries = 0
  return onWireAt(table, 'query ORDERS', async (send, command) => {
    if (!commandJson(command).includes(`"ORDERS#${saleId}#`)) return send()
    queries += 1
    const walk = Math.ceil(queries / orderPartCount)
    const answer = (await send()) as { Items: readonly TableItem[] }
    return { ...answer, Items: shown(answer.Items, walk) }
  })
}

/** The first page of a walk takes its time, `pass`, and the others never come. `pages` counts those that came. */
export function onSlowWalks(table: Table, pass: () => void) {
  const walked = { pages: 0 }
  const slow = onWireAt(table, 'query ORDERS', async (send) => {
    const answer = (await send()) as { Items: readonly TableItem[] }
    if (answer.Items.length === 0) return answer
    if (walked.pages > 0) return new Promise<never>(() => {})
    walked.pages += 1
    pass()
    return answer
  })
  return { walked, slow }
}

/** The list of orders stays as it is now. */
export async function withOrdersOf(table: Table, saleId: SaleId): Promise<Table> {
  const answers = new Map<string, object>()
  const recorded = onWireAt(table, 'query ORDERS', async (send, command) => {
    const answer = await send()
    answers.set(commandJson(command), answer)
    return answer
  })
  for await (const _ of saleOrderPages(recorded, saleId));
  return onWireAt(table, 'query ORDERS', async (send, command) => answers.get(commandJson(command)) ?? (await send()))
}

/** The caps of all sales are `totals`, which are undefined without one. */
export function withTotals(table: Table, totals: SaleTotals | undefined): Table {
  return onWireAt(table, 'batch get CAP', async () => ({ Responses: { [table.name]: capOf(totals) } }))
}

/** Changes the totals that one transaction reads. */
export function withTotalsAtOnce(table: Table, totals: SaleTotals | undefined): Table {
  return onWireAt(table, 'transact get CAP', async () => ({ Responses: capOf(totals).map((Item) => ({ Item })) }))
}

function capOf(totals: SaleTotals | undefined): TableItem[] {
  if (totals === undefined) return []
  const { remaining, sold, orders, variants = {} } = totals
  const counters = Object.entries(variants).flatMap(([id, units]) => [
    [`left.${id}`, units.left],
    [`sold.${id}`, units.sold],
  ])
  return [
    {
      ...{ pk: 'SALE#any', sk: 'CAP', sold, orders },
      ...(remaining !== -1 && { remaining }),
      ...Object.fromEntries(counters),
    },
  ]
}

/** Fails like a client whose request timed out. */
export const unavailable = () => Promise.reject(Object.assign(new Error('unavailable'), { name: 'TimeoutError' }))

/** The transaction that credits claims. */
const creditsAt = /^transact .*\bPACKETS\b/

/** The transactions that credit claims are not answered. */
export const withoutCredits = (table: Table): Table => onWireAt(table, creditsAt, unavailable)

export function notingUnsubscribed(shoppers: string[]): Table {
  return onWireAt(worldTable().table, 'update CONTACT', async (send, command) => {
    const { Key } = command.input as UpdateCommandInput
    shoppers.push(shopperOfContact(String(Key?.pk)))
    return send()
  })
}

/** The only sale of the table is the one that `find` gives, of revision `revision`. */
export function withSale(table: Table, find: () => Sale | undefined, revision = () => 1): Table {
  return onWireAt(table, 'get SALE', async () => {
    const sale = find()
    return sale === undefined ? {} : { Item: saleItem({ sale, revision: revision(), finishedStockChanges: [] }) }
  })
}

/** The lists of sales are what `list` gives. */
export function withSales(table: Table, list: () => Promise<readonly Sale[]>): Table {
  let items: TableItem[] = []
  const listed = onWireAt(table, `query ${salesList}`, async (_, command) => {
    items = (await list()).map((sale) => saleItem({ sale, revision: 1, finishedStockChanges: [] }) as TableItem)
    return { Items: items.filter(({ listPk }) => commandJson(command).includes(`"${String(listPk)}"`)) }
  })
  return onWireAt(listed, 'batch get SALE', async () => ({ Responses: { [table.name]: items } }))
}

/** The transactions that save a sale. */
export const savesSale = /^transact SALE\b/

/** The change of the audit that a transaction records with it. */
export const auditedIn = (command: Sent): string | undefined => /"what":\{"S":"([^"]*)"/.exec(commandJson(command))?.[1]

/** Whether a transaction saves that sale. */
export const isOfSale = (command: Sent, saleId: SaleId): boolean =>
  commandJson(command).includes(`"pk":{"S":"SALE#${saleId}"}`)
