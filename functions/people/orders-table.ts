/**
 * `GET /api/control/sales/{saleId}/orders.csv`: the orders of a sale with where to send them. Addresses are
 * for who sends and helps; a viewer gets the same table with those cells empty.
 */

import { controlOperations } from '../../core/api/control-requests.ts'
import type { OrderQuarter } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import type { Order } from '../../core/orders/order.ts'
import type { Contact } from '../../core/people/contact.ts'
import type { OrderDelivery } from '../../core/people/delivery.ts'
import type { Role } from '../../core/roles.ts'
import { countriesOf } from '../../core/sale/sale.ts'
import { type CsvColumns, columnsTable, csvPart } from '../control/csv.ts'
import { onControl, type Staff } from '../control/entrance.ts'
import { answerTable, orderCursor, type TableCall } from '../control/table-routes.ts'
import { orderCells, reportedOrdersTable } from '../control/tables.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import { findContacts } from '../table/people/contacts.ts'
import { findDeliveries } from '../table/people/deliveries.ts'
import { orderRows, reportedOrderRows } from '../table/sale/sale-rows.ts'
import { linesOf } from './address-rules.ts'

export type OrdersTablePorts = Pick<Shop, 'table' | 'sealer' | 'personalKeys' | 'clock'>

type OrdersTableCall = TableCall & {
  query: { columns?: 'report' | undefined; quarter?: OrderQuarter | undefined }
  caller: Staff
}

type SentOrder = {
  order: Order
  delivery?: OrderDelivery | undefined
  contact?: Contact | undefined
}

/** The orders of one batch of reads. */
const batch = 100

const seesAddresses: readonly Role[] = ['marketer', 'support']

const cells: CsvColumns<SentOrder> = {
  ...Object.fromEntries(Object.entries(orderCells).map(([heading, cell]) => [heading, ({ order }) => cell(order)])),
  name: ({ delivery }) => delivery?.name,
  phone: ({ delivery }) => delivery?.phone,
  email: ({ delivery, contact }) => delivery && contact?.email,
  // As on a label without the name, with commas between its lines.
  address: ({ delivery }) => delivery && [...linesOf({ ...delivery, name: '' }), delivery.postalCountry].join(', '),
}

export const sentOrdersTable = columnsTable<SentOrder>(cells, Object.keys(cells), ({ order }) => order.orderId)

export const ordersTableRoute = onControl(
  controlOperations.getOrders,
  (ports: OrdersTablePorts, { caller, ...call }: OrdersTableCall) => {
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
  ports: OrdersTablePorts,
  pages: AsyncIterable<readonly Order[]>,
): AsyncGenerator<SentOrder[]> {
  for await (const page of pages) {
    for (const orders of slicesOf(page, batch)) {
      const shoppers = new Set(orders.map(({ shopperId }) => shopperId))
      const [sent, known] = await Promise.all([
        findDeliveries(
          ports,
          orders.map(({ orderId }) => orderId),
        ),
        findContacts(ports, [...shoppers]),
      ])
      yield orders.map((order) => ({
        order,
        delivery: sent.get(order.orderId),
        contact: known.get(order.shopperId),
      }))
    }
  }
}
