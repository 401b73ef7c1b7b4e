/** Wiring of `POST /api/sales/{saleId}/orders`. */
import type { OrderMessage } from '../../core/order-message.ts'
import { redisAdmissionDesk } from '../adapters/admission-desk.redis.ts'
import { sqsQueue } from '../adapters/queue.sqs.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { redisSoldOutSign } from '../adapters/sold-out-sign.redis.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { redisStockAndOutbox } from '../adapters/stock.redis.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { answerPurchase } from './http.ts'

const env = readEnvironment({ ...stockVariables, ...gateVariables, ORDERS_QUEUE_URL: address }, process.env)
const telemetry = createTelemetry('reserve')
const redis = connectStock(env, 1000, telemetry)
const gate = connectGate(env, 500, telemetry)

const ports = {
  ...redisStockAndOutbox(redis),
  queue: sqsQueue<OrderMessage>(connectSqs(), env.ORDERS_QUEUE_URL),
  soldOut: redisSoldOutSign(gate),
  admissions: redisAdmissionDesk(gate, Date.now),
  clock: Date.now,
  ...telemetry,
}

export const handler = functionUrl(telemetry, (request) => answerPurchase(ports, request))
