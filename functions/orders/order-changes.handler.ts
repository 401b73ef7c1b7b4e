/** Wiring of `POST /api/orders/{orderId}/pay` and `/cancel`. */

import { nonEmpty, paymentVariables, readEnvironment, redisVariables, shopVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { choosePayments } from '../payments/choose.ts'
import { connectStores } from '../stores/connect.ts'
import { dynamoOrders } from '../stores/orders.dynamodb.ts'
import { dynamoSales } from '../stores/sales.dynamodb.ts'
import { connectS3, s3Site } from '../stores/site.s3.ts'
import { dynamoStoredDeliveries } from '../stores/stored-deliveries.dynamodb.ts'
import { changeOrderPorts } from '../wiring/order-changes.ts'
import { pointerShopfront } from '../wiring/shopfront.ts'
import { rememberOffers } from './offers.memory.ts'
import { answerOrderChanges } from './order-changes-http.ts'

const env = readEnvironment(
  {
    ...redisVariables,
    TABLE_NAME: nonEmpty,
    SITE_BUCKET: nonEmpty,
    ...paymentVariables,
    ...shopVariables,
  },
  process.env,
)
const telemetry = createTelemetry('order-changes')
const stores = connectStores(env, 1000, telemetry)
const shopfront = pointerShopfront(stores, s3Site(connectS3(), env.SITE_BUCKET))
const provider = await choosePayments(env, env.SHOP_URL)

const ports = {
  ...changeOrderPorts(stores, shopfront, provider, telemetry),
  orders: dynamoOrders(stores.table),
  deliveries: dynamoStoredDeliveries(stores.table, Date.now),
  offers: rememberOffers(dynamoSales(stores.table)),
}

export const handler = functionUrl(telemetry, (request) => answerOrderChanges(ports, request))
