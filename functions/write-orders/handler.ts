/** Wiring of the order queue's consumer: an SQS batch in, the ids of the messages that must come again out. */
import { setTimeout as pause } from 'node:timers/promises'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { connectRedis } from '../../redis/client.ts'
import { redisAvailability } from '../adapters/availability.redis.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { dynamoOrderBook } from '../adapters/order-book.dynamodb.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { rememberTerms } from '../adapters/terms.ts'
import { readEnvironment, stockVariables, text } from '../env.ts'
import { sharedRefresh } from '../publishing/shopfront.ts'
import { writeOrders } from './write-orders.ts'

const env = readEnvironment({ ...stockVariables, TABLE_NAME: text, SITE_BUCKET: text }, process.env)
const telemetry = createTelemetry('write-orders')
const redis = connectRedis({
  url: env.UPSTASH_REDIS_REST_URL,
  token: env.UPSTASH_REDIS_REST_TOKEN,
  timeoutMs: 1000,
})
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const sales = dynamoSales(table)

const ports = {
  book: dynamoOrderBook(table),
  terms: rememberTerms(sales),
  shopfront: sharedRefresh({
    site: s3Site(connectS3(), env.SITE_BUCKET),
    sales,
    stock: redisAvailability(redis),
    clock: Date.now,
  }),
  clock: Date.now,
  pause: (milliseconds: number) => pause(milliseconds),
  ...telemetry,
}

export const handler = (event: SQSEvent): Promise<SQSBatchResponse> =>
  telemetry.during(async () => {
    const failed = await writeOrders(ports, event.Records)
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  })
