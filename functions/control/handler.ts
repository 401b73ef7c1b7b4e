/** Wiring of `/api/control`. */
import { randomUUID } from 'node:crypto'
import { dynamoAudit } from '../adapters/audit.dynamodb.ts'
import { redisAvailability, redisStockReader } from '../adapters/availability.redis.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisGate, redisGateReader, redisStockShelf } from '../adapters/effects.redis.ts'
import { redisHoldings } from '../adapters/holdings.redis.ts'
import { redisHolds } from '../adapters/holds.redis.ts'
import { redisLocks } from '../adapters/locks.redis.ts'
import { dynamoOrderLedger } from '../adapters/order-ledger.dynamodb.ts'
import { sqsBulkSender } from '../adapters/order-queue.sqs.ts'
import { redisOutbox } from '../adapters/outbox.redis.ts'
import { simulatedPayments } from '../adapters/payments.simulated.ts'
import { sqsQueueDepths } from '../adapters/queue-depth.sqs.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { sqsRedrive } from '../adapters/redrive.sqs.ts'
import { dynamoRefunds } from '../adapters/refunds.dynamodb.ts'
import { dynamoReleases } from '../adapters/releases.dynamodb.ts'
import { dynamoSaleOrders } from '../adapters/sale-orders.dynamodb.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables, text } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { realWaiting } from '../lock.ts'
import { createPublisher } from '../publishing/publisher.ts'
import { pageTemplates } from '../publishing/templates.ts'
import { newStartToken } from '../sales/start-token.ts'
import { answerControl } from './door.ts'

/** Asset name to public path, put in by the build. */
declare const SITE_ASSETS: Record<string, string>

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    ORDERS_QUEUE_URL: address,
    ORDERS_DLQ_URL: address,
    DEADLINES_QUEUE_URL: address,
    DEADLINES_DLQ_URL: address,
    SITE_BUCKET: text,
    PAYMENT_URL: address,
    PAYMENT_API_KEY: text,
  },
  process.env,
)
const telemetry = createTelemetry('control')
const redis = connectStock(env, 2000)
const gate = connectGate(env, 2000)
const sqs = connectSqs()
const orders = { queueUrl: env.ORDERS_QUEUE_URL, deadLettersUrl: env.ORDERS_DLQ_URL }
const deadlines = { queueUrl: env.DEADLINES_QUEUE_URL, deadLettersUrl: env.DEADLINES_DLQ_URL }
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const sales = dynamoSales(table)
const audit = dynamoAudit(table)
const publisher = createPublisher({
  site: s3Site(connectS3(), env.SITE_BUCKET),
  sales,
  stock: redisAvailability(redis),
  templates: pageTemplates(SITE_ASSETS),
  clock: Date.now,
})

const ports = {
  sales,
  auditReader: audit,
  auditTrail: audit,
  ledger: dynamoOrderLedger(table),
  releases: dynamoReleases(table),
  refunds: dynamoRefunds(table),
  saleOrders: dynamoSaleOrders(table),
  outbox: redisOutbox(redis),
  holds: redisHolds(redis),
  holdings: redisHoldings(redis),
  stock: redisStockShelf(redis),
  stockReader: redisStockReader(redis),
  queue: sqsBulkSender(sqs, orders.queueUrl),
  queues: sqsQueueDepths(sqs, orders.queueUrl, orders.deadLettersUrl),
  allDeadLetters: sqsQueueDepths(sqs, orders.queueUrl, orders.deadLettersUrl, deadlines.deadLettersUrl)
    .deadLetters,
  deadLetters: sqsRedrive(sqs, [orders, deadlines]),
  gate: redisGate(gate),
  gateReader: redisGateReader(gate),
  locks: redisLocks(gate),
  provider: simulatedPayments({ url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY }),
  publisher,
  shopfront: { refresh: publisher.pointer },
  newToken: newStartToken,
  newId: () => randomUUID(),
  newRequestId: () => randomUUID(),
  clock: Date.now,
  pause: realWaiting.sleep,
  ...realWaiting,
  ...telemetry,
}

export const handler = functionUrl(telemetry, (request) => answerControl(ports, request))
