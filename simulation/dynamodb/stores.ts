/** Every store that a sale needs, over one table. */
import { dynamoAudit } from '../../functions/stores/audit.dynamodb.ts'
import { dynamoAuthorisations } from '../../functions/stores/authorisations.dynamodb.ts'
import { dynamoBanks } from '../../functions/stores/banks.dynamodb.ts'
import { dynamoBlocklist } from '../../functions/stores/blocklist.dynamodb.ts'
import { dynamoBrand } from '../../functions/stores/brand.dynamodb.ts'
import { dynamoBudgetStore } from '../../functions/stores/budget.dynamodb.ts'
import { dynamoCapParts } from '../../functions/stores/cap-parts.dynamodb.ts'
import { dynamoClaimLedger } from '../../functions/stores/claim-ledger.dynamodb.ts'
import { dynamoCouponOrders, enterCoupons } from '../../functions/stores/coupon-orders.dynamodb.ts'
import type { Table } from '../../functions/stores/dynamodb.ts'
import { dynamoEarlyLists } from '../../functions/stores/early-lists.dynamodb.ts'
import { dynamoOrderBook } from '../../functions/stores/order-book.dynamodb.ts'
import { dynamoOrderLedger } from '../../functions/stores/order-ledger.dynamodb.ts'
import { dynamoOrders } from '../../functions/stores/orders.dynamodb.ts'
import { dynamoPacketSeeds } from '../../functions/stores/packet-seeds.dynamodb.ts'
import { dynamoPaidOrders } from '../../functions/stores/paid-orders.dynamodb.ts'
import { dynamoPayouts } from '../../functions/stores/payouts.dynamodb.ts'
import { dynamoRefunds } from '../../functions/stores/refunds.dynamodb.ts'
import { dynamoReleases } from '../../functions/stores/releases.dynamodb.ts'
import { dynamoRedrives, dynamoSaleOrders } from '../../functions/stores/sale-orders.dynamodb.ts'
import { dynamoSaleRows } from '../../functions/stores/sale-rows.dynamodb.ts'
import { dynamoSales } from '../../functions/stores/sales.dynamodb.ts'
import { dynamoTemplates } from '../../functions/stores/templates.dynamodb.ts'
import { dynamoWallets } from '../../functions/stores/wallets.dynamodb.ts'
import type { Random } from '../engine/random.ts'

export type TableStores = ReturnType<typeof storesOf>

/** The stores of a table, as handlers connect them. `random` draws the seeds of red packets. */
export function storesOf(table: Table, random: Random) {
  const { find, findMany, page } = dynamoOrders(table)
  return {
    book: enterCoupons(table, dynamoOrderBook(table)),
    capParts: dynamoCapParts(table),
    ledger: dynamoOrderLedger(table),
    orderLists: { find, findMany, page },
    couponOrders: dynamoCouponOrders(table),
    releases: dynamoReleases(table),
    refunds: dynamoRefunds(table),
    authorisations: dynamoAuthorisations(table),
    saleOrders: dynamoSaleOrders(table),
    paidOrders: dynamoPaidOrders(table),
    redrives: dynamoRedrives(table),
    rows: dynamoSaleRows(table),
    sales: dynamoSales(table),
    banks: dynamoBanks(table),
    auditTrail: dynamoAudit(table),
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
  }
}
