/** All orders of a sale as a table that a spreadsheet reads: for the warehouse, and for the books. */
import type { SaleId } from '../../core/ids.ts'
import type { ListedOrder, SaleOrders } from '../order-life/order-ledger.ts'

/** A function answers with 6 MB at most; the rest is room for the headers and for escaping the body as JSON. */
const maxBytes = 5_500_000

const headings = 'orderId,shopperId,quantity,status,reservedAt'

/** Undefined when the orders are too many for one answer. What is written meanwhile may be missing. */
export async function ordersCsv(
  { saleOrders }: { saleOrders: Pick<SaleOrders, 'pages'> },
  saleId: SaleId,
): Promise<string | undefined> {
  const lines = [headings]
  let bytes = headings.length + 2
  for await (const page of saleOrders.pages(saleId)) {
    for (const order of page) {
      const line = lineOf(order)
      bytes += line.length + 2
      if (bytes > maxBytes) return undefined
      lines.push(line)
    }
  }
  return `${lines.join('\r\n')}\r\n`
}

/** No id can hold a comma, a quote, or anything beyond ASCII, so nothing needs quoting (RFC 4180). */
function lineOf({ orderId, shopperId, quantity, status, reservedAt }: ListedOrder): string {
  return `${orderId},${shopperId},${quantity},${status},${new Date(reservedAt).toISOString()}`
}
