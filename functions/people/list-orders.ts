/**
 * The orders of a sale for staff: `GET /api/control/orders` lists them, the last reserved first, or those of all
 * sales, the sale that starts last first; `orders.csv` has them with where to send them. Addresses are for who
 * sends and helps; a viewer gets the same table with those cells empty.
 */
import type * as z from 'zod/mini'
import type { FoundOrders as OrdersPage } from '../../core/api/control-answers.ts'
import { controlOperations, ordersPerPage } from '../../core/api/control-requests.ts'
import type { OrderId, OrderQuarter, SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { plainText } from '../../core/lib/text.ts'
import type { Order } from '../../core/orders/order.ts'
import { cursorOf, cursorOfOrders, type OrderPlace, placeInOrders } from '../../core/orders/order-page.ts'
import type { Contact } from '../../core/people/contact.ts'
import type { OrderDelivery } from '../../core/people/delivery.ts'
import type { Role } from '../../core/roles.ts'
import { countriesOf } from '../../core/sale/sale.ts'
import type { SalePlace } from '../../core/sale/sale-cursor.ts'
import { type CsvColumns, columnsTable, csvPart } from '../control/csv.ts'
import { onControl, type Staff } from '../control/entrance.ts'
import { answerTable, orderCells, orderCursor, reportedOrdersTable, type TableCall } from '../control/tables.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { findWrittenOrder, findWrittenOrders, orderIdsOf } from '../table/orders/orders.ts'
import { type OrderFilter, ordersByTime, readsAll } from '../table/orders/orders-by-time.ts'
import { findContacts } from '../table/people/contacts.ts'
import { findDeliveries } from '../table/people/deliveries.ts'
import { placesOfWarmed } from '../table/sale/sale-lists.ts'
import { orderRows, reportedOrderRows } from '../table/sale/sale-rows.ts'
import { labelPhone } from './address-rules.ts'
import { type FoundShopperPorts, findOrders, viewOfFound } from './find-orders.ts'

type OrdersQuery = z.output<(typeof controlOperations.listAllOrders)['query']> & OrderFilter

type Page = { orderIds: readonly OrderId[]; next: string | null }

/** Sales of one call, whether they have orders or not: each costs a query of every part of its orders. */
const maxSales = 10

/** The same where a filter reads all orders of each sale. */
const maxRead = 2

/** Orders that are reserved and not written yet are not listed. */
export const listOrdersRoute = onControl(controlOperations.listAllOrders, ({ table }: Pick<Shop, 'table'>, { query }) =>
  listOrders(table, query),
)

/** A search by name is the same list with a filter. Support may make it: the names are in the list of all orders that it may read. */
export const findOrdersRoute = onControl(controlOperations.findOrders, async (ports: FoundShopperPorts, call) => {
  const { name, after: cursor, ...filters } = call.body
  if (name === undefined) return findOrders(ports, call)
  const after = cursor === undefined ? undefined : placeInOrders(cursor)
  if (cursor !== undefined && after === undefined) return invalid('after', 'after must be the next of another page')
  return listOrders(ports.table, { ...filters, limit: ordersPerPage, after, among: ordersSentTo(ports, name) })
})

async function listOrders(table: Shop['table'], query: OrdersQuery): Promise<OrdersPage | HttpAnswer> {
  const { sale, after } = query
  if (after !== undefined && (after.sale === undefined) !== (sale !== undefined))
    return invalid('after', 'after must be the next of another page of this list')
  const page = sale === undefined ? await pageOfAll(table, query) : await pageOfSale(table, sale, query, after?.order)
  const written = await findWrittenOrders(table, page.orderIds)
  const orders = page.orderIds.flatMap((orderId) => written.get(orderId) ?? [])
  return { orders: orders.map(viewOfFound), next: page.next }
}

/** Keeps the orders that are sent to someone in whose name each word of `find` occurs. */
function ordersSentTo(ports: FoundShopperPorts, find: string): NonNullable<OrderFilter['among']> {
  const words = folded(find).split(/\s+/)
  return async (orderIds) => {
    const deliveries = [...(await findDeliveries(ports, orderIds))]
    return new Set(
      deliveries.flatMap(([orderId, { name }]) =>
        words.every((word) => folded(name).includes(word)) ? [orderId] : [],
      ),
    )
  }
}

/** Neither case, the width of a character nor an accent makes a difference; `ß` is `ss`. */
const folded = (text: string): string =>
  plainText(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()

async function pageOfSale(
  table: Shop['table'],
  saleId: SaleId,
  query: OrdersQuery,
  before: OrderPlace | undefined,
): Promise<Page> {
  const { orderIds, next } = await ordersByTime(table, saleId, { ...query, before })
  return { orderIds, next: next === undefined ? null : cursorOf(next) }
}

/** A page may be short or empty although more follow. */
async function pageOfAll(table: Shop['table'], query: OrdersQuery): Promise<Page> {
  const { limit, after } = query
  const orderIds: OrderId[] = []
  /** The cursor, if the page ends in this sale. */
  const readSale = async (sale: SalePlace, before?: OrderPlace) => {
    const page = await ordersByTime(table, sale.saleId, { ...query, limit: limit - orderIds.length, before })
    orderIds.push(...page.orderIds)
    const isFull = page.next !== undefined || orderIds.length === limit
    return isFull ? cursorOfOrders(sale, page.next) : undefined
  }
  const rest = after?.sale && after.order && (await readSale(after.sale, after.order))
  if (rest !== undefined) return { orderIds, next: rest }
  const { places, hasMore } = await placesOfWarmed(table, readsAll(query) ? maxRead : maxSales, after?.sale)
  for (const sale of places) {
    const next = await readSale(sale)
    if (next !== undefined) return { orderIds, next }
  }
  const last = places.at(-1)
  return { orderIds, next: hasMore && last !== undefined ? cursorOfOrders(last, undefined) : null }
}

type OrdersTableCall = TableCall & {
  query: { columns?: 'report' | undefined; quarter?: OrderQuarter | undefined }
  caller: Staff
}

type SentOrder = { order: Order; delivery?: OrderDelivery | undefined; contact?: Contact | undefined }

/** The orders of one batch of reads. */
const batch = 100

const seesAddresses: readonly Role[] = ['marketer', 'support']

const cells: CsvColumns<SentOrder> = {
  ...Object.fromEntries(Object.entries(orderCells).map(([heading, cell]) => [heading, ({ order }) => cell(order)])),
  name: ({ delivery }) => delivery?.name,
  organization: ({ delivery }) => delivery?.organization,
  street: ({ delivery }) => delivery?.addressLines[0],
  street2: ({ delivery }) => delivery?.addressLines[1],
  street3: ({ delivery }) => delivery?.addressLines[2],
  district: ({ delivery }) => delivery?.dependentLocality,
  city: ({ delivery }) => delivery?.locality,
  region: ({ delivery }) => delivery?.administrativeArea,
  postalCode: ({ delivery }) => delivery?.postalCode,
  country: ({ delivery }) => delivery?.postalCountry,
  phone: ({ delivery }) => delivery && labelPhone(delivery.phone),
  email: ({ delivery, contact }) => delivery && contact?.email,
}

export const sentOrdersTable = columnsTable<SentOrder>(cells, Object.keys(cells), ({ order }) => order.orderId)

export const ordersTableRoute = onControl(
  controlOperations.getOrders,
  (ports: FoundShopperPorts, { caller, ...call }: OrdersTableCall) => {
    const { columns, quarter } = call.query
    const mayRead = seesAddresses.some((role) => caller.roles.includes(role))
    return answerTable(ports, call, 'orders', async ({ sale, after }) => {
      const { saleId } = sale
      const from = orderCursor(saleId, after, quarter)
      if (from === undefined) return undefined
      const { cursor, isFirst } = from
      if (columns === 'report') {
        const place = cursor && (await findWrittenOrder(ports.table, cursor))
        if (cursor !== undefined && place === undefined) return undefined
        return csvPart(reportedOrdersTable, reportedOrderRows(ports.table, saleId, place, quarter), isFirst)
      }
      const orders = orderRows(ports.table, saleId, cursor, quarter)
      const isSent = mayRead && countriesOf(sale).length > 0
      return csvPart(sentOrdersTable, isSent ? withDeliveries(ports, orders) : alone(orders), isFirst)
    })
  },
)

async function* alone(pages: AsyncIterable<readonly Order[]>): AsyncGenerator<SentOrder[]> {
  for await (const page of pages) yield page.map((order) => ({ order }))
}

async function* withDeliveries(
  ports: FoundShopperPorts,
  pages: AsyncIterable<readonly Order[]>,
): AsyncGenerator<SentOrder[]> {
  for await (const page of pages) {
    for (const orders of slicesOf(page, batch)) {
      const shoppers = new Set(orders.map(({ shopperId }) => shopperId))
      const [sent, known] = await Promise.all([
        findDeliveries(ports, orderIdsOf(orders)),
        findContacts(ports, [...shoppers]),
      ])
      yield orders.map((order) => ({ order, delivery: sent.get(order.orderId), contact: known.get(order.shopperId) }))
    }
  }
}
