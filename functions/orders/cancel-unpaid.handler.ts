/** Wiring of the deadline queue's consumer. */

import { address, nonEmpty, readEnvironment, redisVariables, sqsVariables } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { connectStores } from '../stores/connect.ts'
import { sqsDeadLetters } from '../stores/dead-letters.sqs.ts'
import { sqsDeadlines } from '../stores/deadlines.sqs.ts'
import { connectS3, s3Site } from '../stores/site.s3.ts'
import { connectSqs } from '../stores/sqs.ts'
import { releasePorts } from '../wiring/release.ts'
import { pointerShopfront } from '../wiring/shopfront.ts'
import { cancelUnpaidOrders } from './payment-timers.ts'

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
