/**
 * `GET /api/control/sales/{saleId}/orders.csv`: the orders of a sale with where to send them. Addresses are
 * for who sends and helps; a viewer gets the same table with those cells empty.
 */

import { controlOperations } from '../../core/api/control-requests.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { majorText } from '../../core/money.ts'
import { type OrderBill, orderBillOf } from '../../core/orders/bill.ts'
import type { Order } from '../../core/orders/order.ts'
import { maxAddressLines } from '../../core/people/address-parts.ts'
import type { Contact } from '../../core/people/contact.ts'
import type { OrderDelivery } from '../../core/people/delivery.ts'
import { reportColumns } from '../../core/report/sale-report.ts'
import type { Role } from '../../core/roles.ts'
import { countriesOf, type Sale } from '../../core/sale/sale.ts'
import { type CsvTable, csvPart, withColumns } from '../control/csv.ts'
import { onControl, type Staff } from '../control/entrance.ts'
import { answerTable, orderCursor, type TableCall } from '../control/table-routes.ts'
import { ordersTable } from '../control/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { findContacts } from '../table/people/contacts.ts'
import { findDeliveries } from '../table/people/deliveries.ts'
import { orderRows } from '../table/sale/sale-rows.ts'

export type OrdersTablePorts = Pick<Shop, 'table' | 'sealer' | 'personalKeys' | 'clock'>

type OrdersTableCall = TableCall & { query: { columns?: 'report' | undefined }; caller: Staff }

type SentOrder = {
  order: Order
  bill?: OrderBill | undefined
  delivery?: OrderDelivery | undefined
  contact?: Contact | undefined
}

/** The orders of one batch of reads. */
const batch = 100

const seesAddresses: readonly Role[] = ['marketer', 'support']

export const sentOrdersTable: CsvTable<SentOrder> = {
  headings: [
    ...ordersTable.headings,
    ...['goodsAmount', 'deliveryCost', 'taxPercent', 'net', 'tax'],
    ...['name', 'phone', 'email', 'country', 'organization', 'addressLine1', 'addressLine2', 'addressLine3'],
    ...['dependentLocality', 'locality', 'administrativeArea', 'postalCode'],
  ],
  cursorOf: ({ order }) => order.orderId,
  linesOf: ({ order, bill, delivery, contact }) => {
    const lines = Array.from({ length: maxAddressLines }, (_, i) => delivery?.addressLines[i])
    const person = [delivery?.name, delivery?.phone, delivery && contact?.email, delivery?.postalCountry]
    const place = [delivery?.dependentLocality, delivery?.locality, delivery?.administrativeArea]
    const money = (amount: number | null | undefined) =>
      typeof amount === 'number' ? majorText(amount, order.currency) : ''
    const billed = [
      money(bill?.goods),
      money(bill?.delivery),
      bill?.taxPercent,
      money(bill?.net),
      money(bill?.tax),
    ]
    const added = [...billed, ...person, delivery?.organization, ...lines, ...place, delivery?.postalCode]
    return ordersTable.linesOf(order).map((cells) => [...cells, ...added])
  },
}

export const ordersTableRoute = onControl(
  controlOperations.getOrders,
  (ports: OrdersTablePorts, { caller, ...call }: OrdersTableCall) => {
    const isForReport = call.query.columns === 'report'
    const mayRead = !isForReport && seesAddresses.some((role) => caller.roles.includes(role))
    const table = isForReport ? withColumns(sentOrdersTable, reportColumns) : sentOrdersTable
    return answerTable(ports, call, 'orders', ({ sale, after }) => {
      const from = orderCursor(sale.saleId, after)
      if (from === undefined) return undefined
      const orders = orderRows(ports.table, sale.saleId, from.cursor)
      const isSent = mayRead && countriesOf(sale).length > 0
      return csvPart(table, isSent ? withDeliveries(ports, orders, sale) : alone(orders, sale), from.isFirst)
    })
  },
)

async function* alone(pages: AsyncIterable<readonly Order[]>, sale: Sale): AsyncGenerator<SentOrder[]> {
  for await (const page of pages)
    yield page.map((order) => ({ order, bill: orderBillOf(order, sale, undefined) }))
}

async function* withDeliveries(
  ports: OrdersTablePorts,
  pages: AsyncIterable<readonly Order[]>,
  sale: Sale,
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
      yield orders.map((order) => {
        const delivery = sent.get(order.orderId)
        const bill = orderBillOf(order, sale, delivery?.postalCountry)
        return { order, bill, delivery, contact: known.get(order.shopperId) }
      })
    }
  }
}
