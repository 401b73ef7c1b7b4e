/**
 * `GET /api/control/orders`: the orders of a sale, the last reserved first, or those of all sales, the sale that starts
 * last first.
 */
import type * as z from 'zod/mini'
import { controlOperations } from '../../core/api/control-requests.ts'
import type { OrderId, SaleId } from '../../core/ids.ts'
import { cursorOf, type OrderPlace } from '../../core/orders/order-page.ts'
import { cursorOfOrders } from '../../core/orders/orders-cursor.ts'
import type { SalePlace } from '../../core/sale/sale-cursor.ts'
import { onControl } from '../control/entrance.ts'
import { invalid } from '../lib/http/answer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { findWrittenOrders } from '../table/orders/orders.ts'
import { ordersByTime, readsAll } from '../table/orders/orders-by-time.ts'
import { placesOfWarmed } from '../table/sale/sale-lists.ts'
import { viewOfFound } from './find-orders.ts'

type OrdersQuery = z.output<(typeof controlOperations.listAllOrders)['query']>

type Page = { orderIds: readonly OrderId[]; next: string | null }

/** Sales of one call, whether they have orders or not: each costs a query of every part of its orders. */
const maxSales = 10

/** The same where a filter reads all orders of each sale. */
const maxRead = 2

/** Orders that are reserved and not written yet are not listed. */
export const listOrdersRoute = onControl(
  controlOperations.listAllOrders,
  async ({ table }: Pick<Shop, 'table'>, { query }) => {
    const { sale, after } = query
    if (after !== undefined && (after.sale === undefined) !== (sale !== undefined))
      return invalid('after', 'after must be the next of another page of this list')
    const page = sale === undefined ? await pageOfAll(table, query) : await pageOfSale(table, sale, query, after?.order)
    const written = await findWrittenOrders(table, page.orderIds)
    const orders = page.orderIds.flatMap((orderId) => written.get(orderId) ?? [])
    return { orders: orders.map(viewOfFound), next: page.next }
  },
)

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
    const page = await ordersByTime(table, sale.saleId, {
      ...query,
      limit: limit - orderIds.length,
      before,
    })
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
