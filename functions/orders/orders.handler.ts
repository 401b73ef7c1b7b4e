/** Wiring of `GET /api/orders` and `GET /api/orders/{orderId}`. */

import { nonEmpty, readEnvironment, stockVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { connectTableAndStock } from '../stores/connect.ts'
import { dynamoOrders } from '../stores/orders.dynamodb.ts'
import { dynamoSales, dynamoSalesById } from '../stores/sales.dynamodb.ts'
import { dynamoStoredDeliveries } from '../stores/stored-deliveries.dynamodb.ts'
import { rememberOfferList } from './offers.memory.ts'
import { answerOrders } from './orders-http.ts'

const env = readEnvironment({ ...stockVariables, TABLE_NAME: nonEmpty }, process.env)
const telemetry = createTelemetry('orders')
const { table, stock } = connectTableAndStock(env, 1000, telemetry)

const ports = {
  orders: dynamoOrders(table),
  deliveries: dynamoStoredDeliveries(table, Date.now),
  stock,
  offers: rememberOfferList({ find: dynamoSales(table).find, findMany: dynamoSalesById(table) }),
}

export const handler = functionUrl(telemetry, (request) => answerOrders(ports, request))
