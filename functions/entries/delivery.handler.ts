/** Wiring of what shows personal data: deliveries of orders, and contacts of shoppers. */

import { unsubscribeRoute } from '../../core/people/unsubscribe-path.ts'
import { nonEmpty, readEnvironment } from '../lib/env.ts'
import { appOf } from '../lib/http/app.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createSealer } from '../lib/sealer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { rememberOffers } from '../orders/offers.memory.ts'
import { deliveryApp, unsubscribeApp } from '../people/delivery-http.ts'
import { personalVariables } from '../people/delivery-settings.ts'
import { personalControlApp } from '../people/personal-data-routes.ts'
import { connectDynamoDb } from '../table/dynamodb.ts'
import { dynamoBlocklist } from '../table/gate/blocklist.ts'
import { dynamoOrders } from '../table/orders/orders.ts'
import { dynamoContacts } from '../table/people/contacts.ts'
import { dynamoDeliveries } from '../table/people/deliveries.ts'
import { dynamoSaleRows } from '../table/sale/sale-rows.ts'
import { dynamoSales } from '../table/sale/sales.ts'

const env = readEnvironment({ TABLE_NAME: nonEmpty, ...personalVariables }, process.env)
const telemetry = createTelemetry('delivery')
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const clock = Date.now
const keys = env.PERSONAL_KEYS
const personal = { sealer: createSealer(keys, clock), keys, clock }

const orders = dynamoOrders(table)
const sales = dynamoSales(table)

const ports = {
  orders,
  ledger: orders,
  orderLists: orders,
  sales,
  rows: dynamoSaleRows(table),
  offers: rememberOffers(sales),
  blocklist: dynamoBlocklist(table),
  deliveries: dynamoDeliveries(table, personal),
  contacts: dynamoContacts(table, personal),
  sealer: personal.sealer,
  keepMs: env.PERSONAL_DAYS * 24 * 3600 * 1000,
  clock,
}

export const handler = functionUrl(
  telemetry,
  appOf({
    '/api/control': personalControlApp(ports),
    [unsubscribeRoute]: unsubscribeApp(ports),
    '/': deliveryApp(ports),
  }),
)
