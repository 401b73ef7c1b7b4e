/** Wiring of the order queue's consumer: an SQS batch in, the ids of the messages that must come again out. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { redisAvailability } from '../adapters/availability.redis.ts'
import { sqsDeadLetters } from '../adapters/dead-letters.sqs.ts'
import { sqsDeadlines } from '../adapters/deadlines.sqs.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { rememberOffers } from '../adapters/offers.memory.ts'
import { dynamoOrderBook } from '../adapters/order-book.dynamodb.ts'
import { connectStock } from '../adapters/redis.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, readEnvironment, stockVariables, text } from '../env.ts'
import { createPointerPublisher } from '../publishing/pointer.ts'
import { withoutRepeats } from './shopfront.ts'
import { writeOrders } from './write-orders.ts'

const env = readEnvironment(
  {
    ...stockVariables,
    TABLE_NAME: text,
    ORDERS_DLQ_URL: address,
    DEADLINES_QUEUE_URL: address,
    SITE_BUCKET: text,
  },
  process.env,
)
const telemetry = createTelemetry('write-orders')
const sqs = connectSqs()
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const sales = dynamoSales(table)

const ports = {
  book: dynamoOrderBook(table),
  offers: rememberOffers(sales),
  deadLetters: sqsDeadLetters(sqs, env.ORDERS_DLQ_URL),
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  shopfront: withoutRepeats(
    {
      refresh: createPointerPublisher({
        site: s3Site(connectS3(), env.SITE_BUCKET),
        sales,
        stock: redisAvailability(connectStock(env, 1000)),
        clock: Date.now,
      }),
    },
    Date.now,
  ),
  clock: Date.now,
  pause: (milliseconds: number) => pause(milliseconds),
  ...telemetry,
}

/**
 * What the last transaction may need, an answer that never comes included (2.5 s, `longestWriteMs` of the order book),
 * and the report. With a function timeout of 10 s a busy table is tried for 7 s.
 */
const reserveMs = 3000

type Invocation = Pick<Context, 'getRemainingTimeInMillis'>

export const handler = (event: SQSEvent, context: Invocation): Promise<SQSBatchResponse> =>
  telemetry.during(async () => {
    const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
    const failed = await writeOrders(ports, event.Records, deadline)
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  })
