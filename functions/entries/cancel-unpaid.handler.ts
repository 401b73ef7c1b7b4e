/** Wiring of the deadline queue's consumer. */

import { address, nonEmpty, readEnvironment, redisVariables, sqsVariables } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { cancelUnpaidOrders } from '../orders/payment-timers.ts'
import { sqsDeadLetters } from './adapters/dead-letters.sqs.ts'
import { sqsDeadlines } from './adapters/deadlines.sqs.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectStores } from './connect.ts'
import { pointerShopfront } from './pointer-shopfront.ts'
import { releasePorts } from './release-ports.ts'

const env = readEnvironment(
  {
    ...redisVariables,
    ...sqsVariables,
    TABLE_NAME: nonEmpty,
    DEADLINES_QUEUE_URL: address,
    DEADLINES_DLQ_URL: address,
    SITE_BUCKET: nonEmpty,
  },
  process.env,
)
const telemetry = createTelemetry('cancel-unpaid')
const sqs = connectSqs(env)
const stores = connectStores(env, 1000, telemetry)
const shopfront = pointerShopfront(stores, s3Site(connectS3(), env.SITE_BUCKET))

const ports = {
  ...releasePorts(stores, shopfront, telemetry),
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  deadLetters: sqsDeadLetters(sqs, env.DEADLINES_DLQ_URL),
}

export const handler = queueConsumer(telemetry, (messages, deadline) =>
  cancelUnpaidOrders(ports, messages, deadline),
)
