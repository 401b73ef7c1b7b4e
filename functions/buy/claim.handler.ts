/** Wiring of `POST /api/sales/{saleId}/packets`. */
import type { ClaimMessage } from '../../core/claim.ts'
import { address, readEnvironment, redisVariables, sqsVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { redisAdmissions } from '../stores/admissions.redis.ts'
import { redisDemandCounter } from '../stores/demand.redis.ts'
import { gatePlacements } from '../stores/placements.redis.ts'
import { sqsQueue } from '../stores/queue.sqs.ts'
import { connectGate, connectStock } from '../stores/redis.ts'
import { redisSoldOutPublisher } from '../stores/sold-out.redis.ts'
import { connectSqs } from '../stores/sqs.ts'
import { answerClaim } from './claim-http.ts'

const env = readEnvironment({ ...redisVariables, ...sqsVariables, CLAIMS_QUEUE_URL: address }, process.env)
const telemetry = createTelemetry('claim')
const gate = connectGate(env, 500, telemetry)

const ports = {
  stock: connectStock(env, 1000, telemetry, gatePlacements(gate)),
  queue: sqsQueue<ClaimMessage>(connectSqs(env), env.CLAIMS_QUEUE_URL),
  soldOut: redisSoldOutPublisher(gate),
  admissions: redisAdmissions(gate, Date.now),
  demand: redisDemandCounter(gate, telemetry),
  clock: Date.now,
  ...telemetry,
}

export const handler = functionUrl(telemetry, (request) => answerClaim(ports, request))
