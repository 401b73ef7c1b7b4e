/** Wiring of `GET /api/orders` and `GET /api/orders/{orderId}`. */

import { readEnvironment, stockVariables, text } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { connectDynamoDb } from '../stores/dynamodb.ts'
import { redisHolds } from '../stores/holds.redis.ts'
import { dynamoOrders } from '../stores/orders.dynamodb.ts'
import { connectStock } from '../stores/redis.ts'
import { dynamoSales, dynamoSalesById } from '../stores/sales.dynamodb.ts'
import { rememberOfferList } from './offers.memory.ts'
import { answerOrders } from './orders-http.ts'

const env = readEnvironment({ ...stockVariables, TABLE_NAME: text }, process.env)
const telemetry = createTelemetry('orders')
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }

const ports = {
  orders: dynamoOrders(table),
  holds: redisHolds(connectStock(env, 1000, telemetry)),
  offers: rememberOfferList({ find: dynamoSales(table).find, findMany: dynamoSalesById(table) }),
}

export const handler = functionUrl(telemetry, (request) => answerOrders(ports, request))
