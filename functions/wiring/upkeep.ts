/** The adapters of the repair jobs, for the schedule and for a marketer's request. */
import { randomUUID } from 'node:crypto'
import type { SQSClient } from '@aws-sdk/client-sqs'
import { realWaiting } from '../lib/lock.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { PaymentProvider } from '../orders/payment-provider.ts'
import type { Templates } from '../sales/publishing/pages.ts'
import { createPublisher } from '../sales/publishing/publisher.ts'
import type { Site } from '../sales/publishing/site.ts'
import { newStartToken } from '../sales/start-token.ts'
import { redisBlockNotices } from '../stores/block-list.redis.ts'
import { dynamoBlocklist } from '../stores/blocklist.dynamodb.ts'
import { dynamoBudgetStore } from '../stores/budget.dynamodb.ts'
import { sqsBulkSender } from '../stores/bulk-sender.sqs.ts'
import { redisCatalogue } from '../stores/catalogue.redis.ts'
import { dynamoClaimLedger } from '../stores/claim-ledger.dynamodb.ts'
import type { Stores } from '../stores/connect.ts'
import { sqsDeadClaims } from '../stores/dead-claims.sqs.ts'
import { sqsDeadLetters } from '../stores/dead-letters.sqs.ts'
import { sqsDeadOrders } from '../stores/dead-orders.sqs.ts'
import { redisHeldClaims } from '../stores/held-claims.redis.ts'
import { redisHolds } from '../stores/holds.redis.ts'
import { redisLocks } from '../stores/locks.redis.ts'
import { redisOutbox } from '../stores/outbox.redis.ts'
import { dynamoPacketSeeds } from '../stores/packet-seeds.dynamodb.ts'
import { redisPacketStock } from '../stores/packets.redis.ts'
import { sqsQueueDepths } from '../stores/queue-depth.sqs.ts'
import { type QueuePair, sqsRetry } from '../stores/redrive.sqs.ts'
import { dynamoRedrives, dynamoSaleOrders } from '../stores/sale-orders.dynamodb.ts'
import { dynamoSales } from '../stores/sales.dynamodb.ts'
import {
  redisAdmissionsReader,
  redisGateBatchReader,
  redisGateReader,
  redisStock,
} from '../stores/sales.redis.ts'
import { redisAvailability } from '../stores/stock-readers.redis.ts'
import { changeOrderPorts } from './order-changes.ts'

/** `orders`, `deadlines` and `claims` are each a queue with its dead-letter queue. */
type Clients = Stores & {
  sqs: SQSClient
  orders: QueuePair
  deadlines: QueuePair
  claims: QueuePair
  site: Site
  templates: Templates
  provider: PaymentProvider
}

export function repairPorts(clients: Clients, telemetry: Telemetry) {
  const { table, stock, gate, sqs, orders, deadlines, claims, site, templates, provider } = clients
  const sales = dynamoSales(table)
  const publisher = createPublisher({
    site,
    sales,
    stock: redisAvailability(stock),
    templates,
    clock: Date.now,
  })
  return {
    ...changeOrderPorts(clients, { refresh: publisher.pointer }, provider, telemetry),
    sales,
    saleOrders: dynamoSaleOrders(table),
    redrives: dynamoRedrives(table),
    outbox: redisOutbox(stock),
    holds: redisHolds(stock),
    stock: redisStock(stock),
    packetStock: redisPacketStock(stock),
    packetSeeds: dynamoPacketSeeds(table),
    gateReader: redisGateReader(gate),
    gateBatchReader: redisGateBatchReader(gate),
    admissionsReader: redisAdmissionsReader(gate),
    catalogue: redisCatalogue(gate),
    blocklist: dynamoBlocklist(table),
    blockNotices: redisBlockNotices(gate),
    locks: redisLocks(gate),
    queue: sqsBulkSender(sqs, orders.queueUrl),
    queues: sqsQueueDepths(sqs, orders.queueUrl, orders.deadLettersUrl),
    deadOrders: sqsDeadOrders(sqs, orders),
    deadTimers: sqsRetry(sqs, deadlines),
    claims: redisHeldClaims(stock),
    claimLedger: dynamoClaimLedger(table),
    claimQueue: { depth: sqsQueueDepths(sqs, claims.queueUrl).orders },
    claimLetters: sqsDeadLetters(sqs, claims.deadLettersUrl),
    deadClaims: sqsDeadClaims(sqs, claims),
    budgetStore: dynamoBudgetStore(table),
    publisher,
    newToken: newStartToken,
    newId: () => randomUUID(),
    ...realWaiting,
  }
}
