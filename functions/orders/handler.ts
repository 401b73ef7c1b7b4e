/** Wiring of `GET /api/orders` and `GET /api/orders/{orderId}`. */
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisHolds } from '../adapters/holds.redis.ts'
import { rememberOfferList } from '../adapters/offers.memory.ts'
import { dynamoOrders } from '../adapters/orders.dynamodb.ts'
import { connectStock } from '../adapters/redis.ts'
import { dynamoSales, dynamoSalesById } from '../adapters/sales.dynamodb.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { readEnvironment, stockVariables, text } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { answerOrders } from './http.ts'

const env = readEnvironment({ ...stockVariables, TABLE_NAME: text }, process.env)
const telemetry = createTelemetry('orders')
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }

const ports = {
  orders: dynamoOrders(table),
  holds: redisHolds(connectStock(env, 1000, telemetry)),
  offers: rememberOfferList({ find: dynamoSales(table).find, findMany: dynamoSalesById(table) }),
}

export const handler = functionUrl(telemetry, (request) => answerOrders(ports, request))
