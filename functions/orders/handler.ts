/** Wiring of `GET /api/orders`. */

import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisHolds } from '../adapters/holds.redis.ts'
import { rememberOffers } from '../adapters/offers.memory.ts'
import { dynamoOrders } from '../adapters/orders.dynamodb.ts'
import { connectStock } from '../adapters/redis.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { readEnvironment, stockVariables, text } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { answerOrders } from './http.ts'

const env = readEnvironment({ ...stockVariables, TABLE_NAME: text }, process.env)
const telemetry = createTelemetry('orders')
const redis = connectStock(env, 1000)
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }

const ports = {
  orders: dynamoOrders(table),
  holds: redisHolds(redis),
  prices: rememberOffers(dynamoSales(table)),
}

export const handler = functionUrl(telemetry, (request) => answerOrders(ports, request))
