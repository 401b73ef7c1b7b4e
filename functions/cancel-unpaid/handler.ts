/** Wiring of the deadline queue's consumer: an SQS batch in, the ids of the messages that must come again out. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { redisAvailability } from '../adapters/availability.redis.ts'
import { sqsDeadLetters } from '../adapters/dead-letters.sqs.ts'
import { sqsDeadlines } from '../adapters/deadlines.sqs.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisGate } from '../adapters/effects.redis.ts'
import { redisHoldings } from '../adapters/holdings.redis.ts'
import { dynamoOrderLedger } from '../adapters/order-ledger.dynamodb.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { dynamoReleases } from '../adapters/releases.dynamodb.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables, text } from '../env.ts'
import { createPointerPublisher } from '../publishing/pointer.ts'
import { cancelUnpaidOrders } from './cancel-unpaid.ts'

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    DEADLINES_QUEUE_URL: address,
    DEADLINES_DLQ_URL: address,
    SITE_BUCKET: text,
  },
  process.env,
)
const telemetry = createTelemetry('cancel-unpaid')
const redis = connectStock(env, 1000)
const sqs = connectSqs()
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }

const ports = {
  ledger: dynamoOrderLedger(table),
  releases: dynamoReleases(table),
  holdings: redisHoldings(redis),
  gate: redisGate(connectGate(env, 1000)),
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  deadLetters: sqsDeadLetters(sqs, env.DEADLINES_DLQ_URL),
  shopfront: {
    refresh: createPointerPublisher({
      site: s3Site(connectS3(), env.SITE_BUCKET),
      sales: dynamoSales(table),
      stock: redisAvailability(redis),
      clock: Date.now,
    }),
  },
  clock: Date.now,
  pause: (milliseconds: number) => pause(milliseconds),
  ...telemetry,
}

/**
 * What the last transaction may need, an answer that never comes included (2.5 s), and the report. With a function
 * timeout of 10 s orders are decided for 7 s.
 */
const reserveMs = 3000

type Invocation = Pick<Context, 'getRemainingTimeInMillis'>

export const handler = (event: SQSEvent, context: Invocation): Promise<SQSBatchResponse> =>
  telemetry.during(async () => {
    const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
    const failed = await cancelUnpaidOrders(ports, event.Records, deadline)
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  })
