/** Wiring of `GET /api/orders` and `GET /api/orders/{orderId}`. */
import { nonEmpty, readEnvironment, stockVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { cacheOffers } from '../orders/offers.ts'
import { ordersApp } from '../orders/orders-http.ts'
import { connectTableAndStock } from './connect.ts'

const env = readEnvironment({ ...stockVariables, TABLE_NAME: nonEmpty }, process.env)
const telemetry = createTelemetry('orders')
const { table, stock } = connectTableAndStock(env, 1000, telemetry)

const ports = {
  table,
  clock: Date.now,
  stock,
  offers: cacheOffers(table),
}

export const handler = functionUrl(telemetry, ordersApp(ports))
