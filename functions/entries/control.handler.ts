/** Wiring of `/api/control`. */
import * as z from 'zod/mini'
import { controlApp } from '../control/routes.ts'
import { address, readEnvironment } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { chargeLimits } from '../orders/payments/choose.ts'
import { sqsDeadLetterCount, sqsRedrive } from './adapters/dead-letters.sqs.ts'
import { sqsWake } from './adapters/send.sqs.ts'
import { connectRepair, repairVariables } from './repair-ports.ts'

const env = readEnvironment(
  { ...repairVariables, WAKE_QUEUE_URL: address, CHECKOUT: z.optional(z.literal('on')) },
  process.env,
)
const telemetry = createTelemetry('control')
const { ports: repair, databases, sqs, queues } = await connectRepair(env, telemetry)

const ports = {
  ...repair,
  databases: async () => (await databases.list()).map(({ name, commandsPerSecond }) => ({ name, commandsPerSecond })),
  chargeLimits: (currency: string) => chargeLimits(env.PAYMENT_PROVIDER, currency),
  hasCheckout: env.CHECKOUT === 'on',
  allowsLoopback: env.PUBLIC_ADDRESSES === 'any',
  databaseNamed: databases.named,
  allDeadLetters: sqsDeadLetterCount(
    sqs,
    queues.map(({ deadLettersUrl }) => deadLettersUrl),
  ),
  deadLetters: sqsRedrive(sqs, queues),
  wake: sqsWake(sqs, env.WAKE_QUEUE_URL, telemetry),
}

export const handler = functionUrl(telemetry, controlApp(ports))
