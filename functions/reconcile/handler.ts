/** Wiring of the scheduled repair. An event `{minAgeMs}` runs it on demand with another age. */
import * as z from 'zod/mini'
import { parse, whole } from '../../core/parse.ts'
import { redisAvailability, redisStockReader } from '../adapters/availability.redis.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisGate, redisGateReader, redisStockShelf } from '../adapters/effects.redis.ts'
import { sqsBulkSender } from '../adapters/order-queue.sqs.ts'
import { redisOutboxWalk } from '../adapters/outbox.redis.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables, text } from '../env.ts'
import { createPublisher } from '../publishing/publisher.ts'
import { pageTemplates } from '../publishing/templates.ts'
import { minAgeMs, type Reconciled, reconcile } from './reconcile.ts'

/** Asset name to public path, put in by the build. */
declare const SITE_ASSETS: Record<string, string>

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    ORDERS_QUEUE_URL: address,
    SITE_BUCKET: text,
  },
  process.env,
)
const telemetry = createTelemetry('reconcile')
const redis = connectStock(env, 2000)
const gate = connectGate(env, 2000)
const sales = dynamoSales({ client: connectDynamoDb(), name: env.TABLE_NAME })

const ports = {
  sales,
  outbox: redisOutboxWalk(redis),
  queue: sqsBulkSender(connectSqs(), env.ORDERS_QUEUE_URL),
  stock: redisStockShelf(redis),
  stockReader: redisStockReader(redis),
  gate: redisGate(gate),
  gateReader: redisGateReader(gate),
  publisher: createPublisher({
    site: s3Site(connectS3(), env.SITE_BUCKET),
    sales,
    stock: redisAvailability(redis),
    templates: pageTemplates(SITE_ASSETS),
    clock: Date.now,
  }),
  clock: Date.now,
  ...telemetry,
}

/** A scheduled event has other fields, which are none of ours. */
const onDemand = z.object({ minAgeMs: z.optional(whole(0, 86_400_000)) })

export const handler = (event: unknown): Promise<Reconciled> =>
  telemetry.during(() => {
    const asked = parse(onDemand, event ?? {})
    if (!asked.ok) throw new TypeError(asked.detail)
    return reconcile(ports, asked.value.minAgeMs ?? minAgeMs)
  })
