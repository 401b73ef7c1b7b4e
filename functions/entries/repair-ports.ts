/** The adapters of the repair jobs, for the schedule and for a marketer's request. */
import { randomUUID } from 'node:crypto'
import type { SaleId } from '../../core/ids.ts'
import { readGates } from '../../redis/gate/gates.ts'
import { realWaiting } from '../lib/lock.ts'
import { newToken } from '../lib/new-token.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { PaymentProvider } from '../orders/payments/payment-provider.ts'
import type { PayoutProvider } from '../orders/payments/payout-provider.ts'
import type { EdgeStore } from '../sales/publishing/edge-store.ts'
import type { Templates } from '../sales/publishing/pages.ts'
import { createPublisher } from '../sales/publishing/publisher.ts'
import type { Site } from '../sales/publishing/site.ts'
import { dynamoBlocklist } from '../table/gate/blocklist.ts'
import { dynamoBudgetStore } from '../table/packets/budget.ts'
import { dynamoClaimLedger } from '../table/packets/claim-ledger.ts'
import { dynamoPacketSeeds } from '../table/packets/packet-seeds.ts'
import { dynamoPayouts } from '../table/packets/payouts.ts'
import { dynamoBrand } from '../table/sale/brand.ts'
import { dynamoEarlyLists } from '../table/sale/early-lists.ts'
import { dynamoRedrives, dynamoSaleOrders } from '../table/sale/sale-orders.ts'
import { dynamoSales } from '../table/sale/sales.ts'
import { sqsBulkSender } from './adapters/bulk-sender.sqs.ts'
import { sqsDeadClaims } from './adapters/dead-claims.sqs.ts'
import { sqsDeadLetters } from './adapters/dead-letters.sqs.ts'
import { sqsDeadOrders } from './adapters/dead-orders.sqs.ts'
import { sqsQueueDepths } from './adapters/queue-depth.sqs.ts'
import { type QueuePair, sqsRetry } from './adapters/redrive.sqs.ts'
import type { Sqs } from './adapters/sqs.ts'
import type { Stores } from './connect.ts'
import { changeOrderPorts } from './order-change-ports.ts'

/** `orders`, `deadlines` and `claims` are each a queue with its dead-letter queue. */
type Clients = Stores & {
  sqs: Sqs
  orders: QueuePair
  deadlines: QueuePair
  claims: QueuePair
  site: Site
  edgeStore: EdgeStore
  templates: Templates
  provider: PaymentProvider
  payoutProvider: PayoutProvider
}

export function repairPorts(clients: Clients, telemetry: Telemetry) {
  const { table, stock, gate, sqs, orders, deadlines, claims, site, edgeStore, templates, provider } = clients
  const { payoutProvider } = clients
  const sales = dynamoSales(table)
  const brands = dynamoBrand(table)
  const publisher = createPublisher({
    ...{ site, edgeStore, gate, sales, brands, stock, templates, clock: Date.now },
    ...telemetry,
  })
  return {
    ...changeOrderPorts(clients, { refresh: publisher.pointer }, provider, telemetry),
    payouts: dynamoPayouts(table),
    payoutProvider,
    sales,
    brands,
    saleOrders: dynamoSaleOrders(table),
    redrives: dynamoRedrives(table),
    packetSeeds: dynamoPacketSeeds(table),
    readGates: (saleIds: readonly SaleId[]) => readGates(gate, saleIds),
    blocklist: dynamoBlocklist(table),
    earlyLists: dynamoEarlyLists(table),
    queue: sqsBulkSender(sqs, orders.queueUrl),
    queues: sqsQueueDepths(sqs, orders.queueUrl, orders.deadLettersUrl),
    deadOrders: sqsDeadOrders(sqs, orders),
    deadTimers: sqsRetry(sqs, deadlines),
    claimLedger: dynamoClaimLedger(table),
    claimQueue: { depth: sqsQueueDepths(sqs, claims.queueUrl).orders },
    claimLetters: sqsDeadLetters(sqs, claims.deadLettersUrl),
    deadClaims: sqsDeadClaims(sqs, claims),
    budgetStore: dynamoBudgetStore(table),
    publisher,
    edgeStore,
    newToken,
    newId: () => randomUUID(),
    ...realWaiting,
  }
}
