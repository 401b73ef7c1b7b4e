/** Wiring of the deadline queue's consumer. */
import { address, readEnvironment } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { handlePaymentTimers } from '../orders/cancel-unpaid.ts'
import { sqsDeadLetters, sqsDeadlines } from './adapters/send.sqs.ts'
import { sqsConsumerPorts } from './adapters/visibility.sqs.ts'
import { changingVariables, connectChanging } from './connect-selling.ts'

const env = readEnvironment(
  { ...changingVariables, DEADLINES_QUEUE_URL: address, DEADLINES_DLQ_URL: address },
  process.env,
)
const telemetry = createTelemetry('cancel-unpaid')
const changes = connectChanging(env, telemetry)
const { sqs } = changes

const ports = {
  ...changes,
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  deadLetters: sqsDeadLetters(sqs, env.DEADLINES_DLQ_URL),
}

export const handler = queueConsumer(telemetry, sqsConsumerPorts(sqs, env.DEADLINES_QUEUE_URL), (messages, deadline) =>
  handlePaymentTimers(ports, messages, deadline),
)
