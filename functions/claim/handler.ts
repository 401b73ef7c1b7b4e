/** Wiring of `POST /api/sales/{saleId}/packets`. */
import type { ClaimMessage } from '../../core/claim.ts'
import { redisAdmissionDesk } from '../adapters/admission-desk.redis.ts'
import { redisPacketsAndOutbox } from '../adapters/claims.redis.ts'
import { sqsQueue } from '../adapters/queue.sqs.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { redisSoldOutSign } from '../adapters/sold-out-sign.redis.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { answerClaim } from './http.ts'

const env = readEnvironment({ ...stockVariables, ...gateVariables, CLAIMS_QUEUE_URL: address }, process.env)
const telemetry = createTelemetry('claim')
const redis = connectStock(env, 1000, telemetry)
const gate = connectGate(env, 500, telemetry)

const ports = {
  ...redisPacketsAndOutbox(redis),
  queue: sqsQueue<ClaimMessage>(connectSqs(), env.CLAIMS_QUEUE_URL),
  soldOut: redisSoldOutSign(gate),
  admissions: redisAdmissionDesk(gate, Date.now),
  clock: Date.now,
  ...telemetry,
}

export const handler = functionUrl(telemetry, (request) => answerClaim(ports, request))
