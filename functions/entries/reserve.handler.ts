/** Wiring of `POST /api/sales/{saleId}/orders` and `POST /api/sales/{saleId}/packets`. */
import { purchaseApp } from '../buy/reserve.ts'
import { address, readEnvironment, redisVariables, sqsVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { errorFacts } from '../lib/telemetry.ts'
import {
  gatePlacements,
  publishedPlacements,
  redisAdmissions,
  redisDemandCounter,
  redisSoldOutPublisher,
} from './adapters/gate.redis.ts'
import { sqsQueue } from './adapters/send.sqs.ts'
import { connectSqs } from './adapters/sqs.ts'
import { secretList } from './adapters/stock-list.secretsmanager.ts'
import { connectGate, connectStock, openDatabases } from './redis.ts'

const env = readEnvironment({ ...redisVariables, ...sqsVariables, ORDERS_QUEUE_URL: address }, process.env)
const telemetry = createTelemetry('reserve')
const gate = connectGate(env, 500, telemetry)
const stock = connectStock(openDatabases(secretList(env), 1000, telemetry), gatePlacements(gate))

// At the start of the environment, so that the first request waits only for its script and its message.
await stock
  .preload(() => publishedPlacements(gate))
  .catch((error) => telemetry.log.warn('databases not read ahead', errorFacts(error)))

const ports = {
  stock,
  queue: sqsQueue(connectSqs(env), env.ORDERS_QUEUE_URL),
  soldOut: redisSoldOutPublisher(gate),
  admissions: redisAdmissions(gate, Date.now),
  demand: redisDemandCounter(gate, telemetry),
  clock: Date.now,
  ...telemetry,
}

export const handler = functionUrl(telemetry, purchaseApp(ports))
