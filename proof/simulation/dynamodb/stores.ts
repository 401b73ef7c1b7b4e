/** Every store that a sale needs, over one table. */

import type { Table } from '../../../functions/table/dynamodb.ts'
import { dynamoBlocklist } from '../../../functions/table/gate/blocklist.ts'
import { dynamoCouponOrders, enterCoupons } from '../../../functions/table/orders/coupon-orders.ts'
import { dynamoOrderBook } from '../../../functions/table/orders/order-book.ts'
import { dynamoOrderLedger } from '../../../functions/table/orders/order-ledger.ts'
import { dynamoOrders } from '../../../functions/table/orders/orders.ts'
import { dynamoReleases } from '../../../functions/table/orders/releases.ts'
import { dynamoBudgetStore } from '../../../functions/table/packets/budget.ts'
import { dynamoClaimLedger } from '../../../functions/table/packets/claim-ledger.ts'
import { dynamoPacketSeeds } from '../../../functions/table/packets/packet-seeds.ts'
import { dynamoPayouts } from '../../../functions/table/packets/payouts.ts'
import { dynamoWallets } from '../../../functions/table/packets/wallets.ts'
import type { PersonalDataPorts } from '../../../functions/table/people/contact-item.ts'
import { dynamoContacts } from '../../../functions/table/people/contacts.ts'
import { dynamoDeliveries } from '../../../functions/table/people/deliveries.ts'
import { dynamoStoredDeliveries } from '../../../functions/table/people/stored-deliveries.ts'
import { dynamoRedrives, dynamoSaleOrders } from '../../../functions/table/sale/sale-orders.ts'
import { dynamoSaleRows } from '../../../functions/table/sale/sale-rows.ts'
import { dynamoSales, dynamoSalesById } from '../../../functions/table/sale/sales.ts'
import { dynamoBanks } from '../../../functions/table/stock/banks.ts'
import { dynamoCapParts } from '../../../functions/table/stock/cap-parts.ts'
import type { Random } from '../engine/random.ts'

export type TableStores = ReturnType<typeof storesOf>

/**
 * The stores of a table, as handlers connect them. `random` draws the seeds of red packets, and `personal` seals
 * what shoppers say of themselves.
 */
export function storesOf(table: Table, random: Random, personal: PersonalDataPorts) {
  const { find, findMany, page } = dynamoOrders(table)
  return {
    table,
    book: enterCoupons(table, dynamoOrderBook(table)),
    capParts: dynamoCapParts(table),
    ledger: dynamoOrderLedger(table),
    orderLists: { find, findMany, page },
    couponOrders: dynamoCouponOrders(table),
    releases: dynamoReleases(table),
    saleOrders: dynamoSaleOrders(table),
    redrives: dynamoRedrives(table),
    rows: dynamoSaleRows(table),
    sales: dynamoSales(table),
    salesById: dynamoSalesById(table),
    banks: dynamoBanks(table),
    blocklist: dynamoBlocklist(table),
    claimLedger: dynamoClaimLedger(table),
    wallets: dynamoWallets(table),
    payouts: dynamoPayouts(table),
    packetSeeds: dynamoPacketSeeds(table, (length) =>
      Buffer.from(Array.from({ length }, () => random.whole(0, 255))),
    ),
    budgetStore: dynamoBudgetStore(table),
    deliveries: dynamoDeliveries(table, personal),
    storedDeliveries: dynamoStoredDeliveries(table, personal.clock),
    contacts: dynamoContacts(table, personal),
  }
}
