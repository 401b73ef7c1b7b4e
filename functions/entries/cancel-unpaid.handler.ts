/** Wiring of the deadline queue's consumer. */
import { address, readEnvironment, sqsVariables } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { cancelUnpaidOrders } from '../orders/payment-timers.ts'
import { sqsDeadLetters, sqsDeadlines } from './adapters/send.sqs.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectSelling, sellingVariables } from './connect-selling.ts'

const env = readEnvironment(
  { ...sellingVariables, ...sqsVariables, DEADLINES_QUEUE_URL: address, DEADLINES_DLQ_URL: address },
  process.env,
)
const telemetry = createTelemetry('cancel-unpaid')
const sqs = connectSqs(env)

const ports = {
  ...connectSelling(env, telemetry),
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  deadLetters: sqsDeadLetters(sqs, env.DEADLINES_DLQ_URL),
}

export const handler = queueConsumer(telemetry, (messages, deadline) => cancelUnpaidOrders(ports, messages, deadline))
