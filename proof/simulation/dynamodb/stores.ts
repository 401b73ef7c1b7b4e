/** Every store that a sale needs, over one table. */
import { dynamoBanks } from '../../../functions/table/banks.ts'
import { dynamoBlocklist } from '../../../functions/table/blocklist.ts'
import { dynamoBrand } from '../../../functions/table/brand.ts'
import { dynamoBudgetStore } from '../../../functions/table/budget.ts'
import { dynamoCapParts } from '../../../functions/table/cap-parts.ts'
import { dynamoClaimLedger } from '../../../functions/table/claim-ledger.ts'
import type { PersonalDataPorts } from '../../../functions/table/contact-item.ts'
import { dynamoContacts } from '../../../functions/table/contacts.ts'
import { dynamoCouponOrders, enterCoupons } from '../../../functions/table/coupon-orders.ts'
import { dynamoDeliveries } from '../../../functions/table/deliveries.ts'
import type { Table } from '../../../functions/table/dynamodb.ts'
import { dynamoEarlyLists } from '../../../functions/table/early-lists.ts'
import { dynamoOrderBook } from '../../../functions/table/order-book.ts'
import { dynamoOrderLedger } from '../../../functions/table/order-ledger.ts'
import { dynamoOrders } from '../../../functions/table/orders.ts'
import { dynamoPacketSeeds } from '../../../functions/table/packet-seeds.ts'
import { dynamoPayouts } from '../../../functions/table/payouts.ts'
import { dynamoReleases } from '../../../functions/table/releases.ts'
import { dynamoRedrives, dynamoSaleOrders } from '../../../functions/table/sale-orders.ts'
import { dynamoSaleRows } from '../../../functions/table/sale-rows.ts'
import { dynamoSales, dynamoSalesById } from '../../../functions/table/sales.ts'
import { dynamoStoredDeliveries } from '../../../functions/table/stored-deliveries.ts'
import { dynamoTemplates } from '../../../functions/table/templates.ts'
import { dynamoWallets } from '../../../functions/table/wallets.ts'
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
    earlyLists: dynamoEarlyLists(table),
    brands: dynamoBrand(table),
    templates: dynamoTemplates(table),
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
