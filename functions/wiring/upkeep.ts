/** What looking after sales needs, whether a schedule or a marketer asks for it. */
import { randomUUID } from 'node:crypto'
import type { SQSClient } from '@aws-sdk/client-sqs'
import { redisAvailability } from '../adapters/availability.redis.ts'
import { redisBlockNotices } from '../adapters/block-notices.redis.ts'
import { dynamoBlocklist } from '../adapters/blocklist.dynamodb.ts'
import { redisCatalogue } from '../adapters/catalogue.redis.ts'
import { dynamoClaimLedger } from '../adapters/claim-ledger.dynamodb.ts'
import { sqsDeadLetters } from '../adapters/dead-letters.sqs.ts'
import { sqsDeadOrders } from '../adapters/dead-orders.sqs.ts'
import {
  redisAdmissionsReader,
  redisGateBatchReader,
  redisGateReader,
  redisStockShelf,
} from '../adapters/effects.redis.ts'
import { redisHeldClaims } from '../adapters/held-claims.redis.ts'
import { redisHolds } from '../adapters/holds.redis.ts'
import { redisLocks } from '../adapters/locks.redis.ts'
import { sqsBulkSender } from '../adapters/order-queue.sqs.ts'
import { redisOutbox } from '../adapters/outbox.redis.ts'
import { dynamoPacketBooks } from '../adapters/packet-books.dynamodb.ts'
import { dynamoPacketSeeds } from '../adapters/packet-seeds.dynamodb.ts'
import { redisPacketShelf } from '../adapters/packet-shelf.redis.ts'
import { sqsQueueDepths } from '../adapters/queue-depth.sqs.ts'
import { type QueuePair, sqsRetry } from '../adapters/redrive.sqs.ts'
import { dynamoRedrives, dynamoSaleOrders } from '../adapters/sale-orders.dynamodb.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { realWaiting } from '../lock.ts'
import type { PaymentProvider } from '../order-life/payment-provider.ts'
import type { Templates } from '../publishing/pages.ts'
import { createPublisher } from '../publishing/publisher.ts'
import type { Site } from '../publishing/site.ts'
import { newStartToken } from '../sales/start-token.ts'
import type { Telemetry } from '../telemetry.ts'
import { changeOrderPorts } from './order-changes.ts'
import type { Stores } from './stores.ts'

/** `orders`, `deadlines` and `claims` are a queue each, and where it puts what it cannot deliver. */
type Clients = Stores & {
  sqs: SQSClient
  orders: QueuePair
  deadlines: QueuePair
  claims: QueuePair
  site: Site
  templates: Templates
  provider: PaymentProvider
}

export function upkeepPorts(clients: Clients, telemetry: Telemetry) {
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
    stock: redisStockShelf(stock),
    packetShelf: redisPacketShelf(stock),
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
    deadClaims: sqsRetry(sqs, claims),
    packetBooks: dynamoPacketBooks(table),
    publisher,
    newToken: newStartToken,
    newId: () => randomUUID(),
    ...realWaiting,
  }
}
