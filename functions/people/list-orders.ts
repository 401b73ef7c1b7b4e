/**
 * Lists orders for staff: `GET /api/control/orders` lists the orders of a sale or of all sales, the last reserved first.
 * `orders.csv` adds the addresses. Only roles that ship or help see them; a viewer gets the same table with empty cells.
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
import { type CsvColumns, columnsTable, csvPart } from '../control/csv.ts'
import { onControl, type Staff } from '../control/staff.ts'
import { answerTable, orderCells, orderCursor, reportedOrdersTable, type TableCall } from '../control/tables.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { findWrittenOrder, findWrittenOrders, orderIdsOf } from '../table/orders/orders.ts'
import { latestFirst, needsOrders, type OrderFilter, ordersByTime } from '../table/orders/orders-by-time.ts'
import { findContacts } from '../table/people/contacts.ts'
import { findDeliveries } from '../table/people/deliveries.ts'
import { placesOfWarmed } from '../table/sale/sale-lists.ts'
import { orderRows, reportedOrderRows } from '../table/sale/sale-rows.ts'
import { labelPhone } from './address-rules.ts'
import { type FoundShopperPorts, findOrders, toFoundOrder } from './find-orders.ts'

type OrdersQuery = z.output<(typeof controlOperations.listAllOrders)['query']> & OrderFilter

type Page = { orderIds: readonly OrderId[]; next: string | null }

/** Sales whose orders one call merges, at most: each costs a query of every partition of its orders, even without any. */
const maxSales = 10

/** The limit of sales when a filter reads all orders of each sale. */
const maxFilteredSales = 2

/** Lists written orders, not those that are only reserved. */
export const listOrdersRoute = onControl(
  controlOperations.listAllOrders,
  ({ table }: Pick<ShopContext, 'table'>, { query }) => listOrders(table, query),
)

/** Finds orders. A search by name is the same list with a filter; support may read all names in it. */
export const findOrdersRoute = onControl(controlOperations.findOrders, async (ports: FoundShopperPorts, call) => {
  const { name, after: cursor, ...filters } = call.body
  if (name === undefined) return findOrders(ports, call)
  const after = cursor === undefined ? undefined : placeInOrders(cursor)
  if (cursor !== undefined && after === undefined) return invalid('after', 'after must be the next of another page')
  return listOrders(ports.table, { ...filters, limit: ordersPerPage, after, among: ordersSentTo(ports, name) })
})

async function listOrders(table: ShopContext['table'], query: OrdersQuery): Promise<OrdersPage | HttpAnswer> {
  const { sale, after } = query
  if (after !== undefined && (after.sale === undefined) !== (sale !== undefined))
    return invalid('after', 'after must be the next of another page of this list')
  const page = sale === undefined ? await pageOfAll(table, query) : await pageOfSale(table, sale, query, after?.order)
  const written = await findWrittenOrders(table, page.orderIds)
  const orders = page.orderIds.flatMap((orderId) => written.get(orderId) ?? [])
  return { orders: orders.map(toFoundOrder), next: page.next }
}

/** Keeps the orders whose recipient's name contains each word of `find`. */
function ordersSentTo(ports: FoundShopperPorts, find: string): NonNullable<OrderFilter['among']> {
  const words = foldCase(find).split(/\s+/)
  return async (orderIds) => {
    const deliveries = [...(await findDeliveries(ports, orderIds))]
    return new Set(
      deliveries.flatMap(([orderId, { name }]) =>
        words.every((word) => foldCase(name).includes(word)) ? [orderId] : [],
      ),
    )
  }
}

/** Letters that Unicode does not decompose into a base letter and a mark, as people type them on a foreign keyboard. */
const baseLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', þ: 'th' }),
)

/** Folds case, character width and accents; `ß` becomes `ss`, and `ø` becomes `o`. */
const foldCase = (text: string): string =>
  plainText(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^a-z]/g, (letter) => baseLetters.get(letter) ?? letter)

async function pageOfSale(
  table: ShopContext['table'],
  saleId: SaleId,
  query: OrdersQuery,
  before: OrderPlace | undefined,
): Promise<Page> {
  const { places, next } = await ordersByTime(table, saleId, { ...query, before })
  return { orderIds: orderIdsOf(places), next: next === undefined ? null : cursorOf(next) }
}

/**
 * Merges the orders of up to `maxSales` sales, the latest start first. The cursor names the first of these sales and the
 * order where the page ended; after their last order it names the last of these sales. So the list is sorted by time within
 * each group of sales. A page may be short or empty although more follow.
 */
async function pageOfAll(table: ShopContext['table'], query: OrdersQuery): Promise<Page> {
  const { limit, after } = query
  const first = after?.order && after.sale
  const maxPlaces = needsOrders(query) ? maxFilteredSales : maxSales
  const rest = await placesOfWarmed(table, first === undefined ? maxPlaces : maxPlaces - 1, after?.sale)
  const sales = first === undefined ? rest.places : [first, ...rest.places]
  const pages = await Promise.all(
    sales.map(({ saleId }) => ordersByTime(table, saleId, { ...query, before: after?.order })),
  )
  // After the last order that was read of one sale, others may have orders that were not read yet.
  const [readTo] = pages.flatMap(({ next }) => next ?? []).toSorted(latestFirst)
  const found = pages
    .flatMap(({ places }) => places)
    .filter((place) => readTo === undefined || latestFirst(place, readTo) < 0)
    .toSorted(latestFirst)
  const page = found.slice(0, limit)
  const end = found.length > limit ? page.at(-1) : readTo
  const [begin, last] = [sales[0], sales.at(-1)]
  const next =
    end === undefined ? rest.hasMore && last && cursorOfOrders(last, undefined) : begin && cursorOfOrders(begin, end)
  return { orderIds: orderIdsOf(page), next: next || null }
}

type OrdersTableCall = TableCall & {
  query: { columns?: 'report' | undefined; quarter?: OrderQuarter | undefined }
  caller: Staff
}

type SentOrder = { order: Order; delivery?: OrderDelivery | undefined; contact?: Contact | undefined }

/** Orders in one batch of reads. */
const batchSize = 100

const addressRoles: readonly Role[] = ['marketer', 'support']

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
    const mayRead = addressRoles.some((role) => caller.roles.includes(role))
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
      return csvPart(sentOrdersTable, isSent ? withDeliveries(ports, orders) : withoutDeliveries(orders), isFirst)
    })
  },
)

async function* withoutDeliveries(pages: AsyncIterable<readonly Order[]>): AsyncGenerator<SentOrder[]> {
  for await (const page of pages) yield page.map((order) => ({ order }))
}

async function* withDeliveries(
  ports: FoundShopperPorts,
  pages: AsyncIterable<readonly Order[]>,
): AsyncGenerator<SentOrder[]> {
  for await (const page of pages) {
    for (const orders of slicesOf(page, batchSize)) {
      const shoppers = new Set(orders.map(({ shopperId }) => shopperId))
      const [sent, known] = await Promise.all([
        findDeliveries(ports, orderIdsOf(orders)),
        findContacts(ports, [...shoppers]),
      ])
      yield orders.map((order) => ({ order, delivery: sent.get(order.orderId), contact: known.get(order.shopperId) }))
    }
  }
}
