/** Wiring of the scheduled repair. An event `{minAgeMs, holdAgeMs, everyHold}` runs it on demand in another way. */
import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import * as z from 'zod/mini'
import { parse, whole } from '../../core/parse.ts'
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
import { dynamoRefunds } from '../adapters/refunds.dynamodb.ts'
import { dynamoReleases } from '../adapters/releases.dynamodb.ts'
import { dynamoSaleOrders } from '../adapters/sale-orders.dynamodb.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables, text } from '../env.ts'
import { realWaiting } from '../lock.ts'
import { createPublisher } from '../publishing/publisher.ts'
import { pageTemplates } from '../publishing/templates.ts'
import { newStartToken } from '../sales/start-token.ts'
import { holdAgeMs } from '../upkeep/holds.ts'
import { minAgeMs } from '../upkeep/relay.ts'
import { type Reconciled, reconcile } from './reconcile.ts'

/** Asset name to public path, put in by the build. */
declare const SITE_ASSETS: Record<string, string>

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    ORDERS_QUEUE_URL: address,
    ORDERS_DLQ_URL: address,
    SITE_BUCKET: text,
    PAYMENT_URL: address,
    PAYMENT_API_KEY: text,
  },
  process.env,
)
const telemetry = createTelemetry('reconcile')
const redis = connectStock(env, 2000)
const gate = connectGate(env, 2000)
const sqs = connectSqs()
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const sales = dynamoSales(table)
const publisher = createPublisher({
  site: s3Site(connectS3(), env.SITE_BUCKET),
  sales,
  stock: redisAvailability(redis),
  templates: pageTemplates(SITE_ASSETS),
  clock: Date.now,
})

const ports = {
  sales,
  ledger: dynamoOrderLedger(table),
  releases: dynamoReleases(table),
  refunds: dynamoRefunds(table),
  saleOrders: dynamoSaleOrders(table),
  outbox: redisOutbox(redis),
  holds: redisHolds(redis),
  holdings: redisHoldings(redis),
  stock: redisStockShelf(redis),
  stockReader: redisStockReader(redis),
  queue: sqsBulkSender(sqs, env.ORDERS_QUEUE_URL),
  queues: sqsQueueDepths(sqs, env.ORDERS_QUEUE_URL, env.ORDERS_DLQ_URL),
  gate: redisGate(gate),
  gateReader: redisGateReader(gate),
  locks: redisLocks(gate),
  provider: simulatedPayments({ url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY }),
  publisher,
  shopfront: { refresh: publisher.pointer },
  newToken: newStartToken,
  newRequestId: () => randomUUID(),
  clock: Date.now,
  pause: realWaiting.sleep,
  ...realWaiting,
  ...telemetry,
}

/** A scheduled event has other fields, which are none of ours. */
const onDemand = z.object({
  minAgeMs: z._default(whole(0, 86_400_000), minAgeMs),
  holdAgeMs: z._default(whole(0, 86_400_000), holdAgeMs),
  everyHold: z._default(z.boolean('must be true or false'), false),
})

/** What the last sale begun may still need, of the 30 s that the function has. */
const reserveMs = 5000

type Invocation = Pick<Context, 'getRemainingTimeInMillis'>

export const handler = (event: unknown, context: Invocation): Promise<Reconciled> =>
  telemetry.during(() => {
    const asked = parse(onDemand, event ?? {})
    if (!asked.ok) throw new TypeError(asked.detail)
    return reconcile(ports, asked.value, Date.now() + context.getRemainingTimeInMillis() - reserveMs)
  })
