/**
 * All orders of a sale as a table that a spreadsheet reads: for the warehouse, and for the books.
 */
import type { SaleId } from '../../core/ids.ts'
import type { ListedOrder, SaleOrders } from '../orders/order-ledger.ts'
import { csvOf } from './csv.ts'

const headings = ['orderId', 'shopperId', 'quantity', 'status', 'reservedAt']

/**
 * Undefined when the orders are too many for one answer. What is written meanwhile may be missing.
 */
export function ordersCsv(
  { saleOrders }: { saleOrders: Pick<SaleOrders, 'pages'> },
  saleId: SaleId,
): Promise<string | undefined> {
  return csvOf(headings, saleOrders.pages(saleId), (order) => [lineOf(order)])
}

function lineOf({ orderId, shopperId, quantity, status, reservedAt }: ListedOrder) {
  return [orderId, shopperId, quantity, status, new Date(reservedAt).toISOString()]
}
