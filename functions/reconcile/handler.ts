/** Wiring of the scheduled repair. An event `{minAgeMs}` runs it on demand with another age. */
import * as z from 'zod/mini'
import { parse, whole } from '../../core/parse.ts'
import { connectRedis } from '../../redis/client.ts'
import { redisAvailability } from '../adapters/availability.redis.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { sqsBulkSender } from '../adapters/order-queue.sqs.ts'
import { redisOutboxWalk } from '../adapters/outbox.redis.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, readEnvironment, stockVariables, text } from '../env.ts'
import { sharedRefresh } from '../publishing/shopfront.ts'
import { minAgeMs, reconcile } from './reconcile.ts'
import type { Relayed } from './relay.ts'

const env = readEnvironment(
  { ...stockVariables, TABLE_NAME: text, ORDERS_QUEUE_URL: address, SITE_BUCKET: text },
  process.env,
)
const telemetry = createTelemetry('reconcile')
const redis = connectRedis({
  url: env.UPSTASH_REDIS_REST_URL,
  token: env.UPSTASH_REDIS_REST_TOKEN,
  timeoutMs: 2000,
})
const sales = dynamoSales({ client: connectDynamoDb(), name: env.TABLE_NAME })

const ports = {
  sales,
  outbox: redisOutboxWalk(redis),
  queue: sqsBulkSender(connectSqs(), env.ORDERS_QUEUE_URL),
  shopfront: sharedRefresh({
    site: s3Site(connectS3(), env.SITE_BUCKET),
    sales,
    stock: redisAvailability(redis),
    clock: Date.now,
  }),
  clock: Date.now,
  ...telemetry,
}

/** A scheduled event has other fields, which are none of ours. */
const onDemand = z.object({ minAgeMs: z.optional(whole(0, 86_400_000)) })

export const handler = (event: unknown): Promise<Relayed> =>
  telemetry.during(() => {
    const asked = parse(onDemand, event ?? {})
    if (!asked.ok) throw new TypeError(asked.detail)
    return reconcile(ports, asked.value.minAgeMs ?? minAgeMs)
  })
