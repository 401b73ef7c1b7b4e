/**
 * Wiring of `POST /api/orders/{orderId}/pay` and `/cancel`, of coupons that shops redeem, and of payouts:
 * what changes an order or moves money at the request of someone outside.
 */
import { randomUUID } from 'node:crypto'

import {
  nonEmpty,
  pagesVariables,
  paymentVariables,
  readEnvironment,
  redisVariables,
  shopVariables,
} from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { missThrottle } from '../lib/miss-throttle.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { payoutVariables } from '../packets/payout-terms.ts'
import { answerPayouts } from '../packets/payouts-http.ts'
import { choosePayments, choosePayouts, priceStep } from '../payments/choose.ts'
import { connectStores } from '../stores/connect.ts'
import { dynamoCouponOrders } from '../stores/coupon-orders.dynamodb.ts'
import { dynamoOrders } from '../stores/orders.dynamodb.ts'
import { dynamoPayouts } from '../stores/payouts.dynamodb.ts'
import { dynamoSales } from '../stores/sales.dynamodb.ts'
import { connectS3, s3Site } from '../stores/site.s3.ts'
import { dynamoStoredDeliveries } from '../stores/stored-deliveries.dynamodb.ts'
import { changeOrderPorts } from '../wiring/order-changes.ts'
import { pointerShopfront } from '../wiring/shopfront.ts'
import { rememberOffers } from './offers.memory.ts'
import { answerOrderChanges } from './order-changes-http.ts'
import { answerRedeem, missRule } from './redeem-http.ts'
import { redeemVariables } from './shop-keys.ts'

const env = readEnvironment(
  {
    ...redisVariables,
    TABLE_NAME: nonEmpty,
    SITE_BUCKET: nonEmpty,
    ...paymentVariables,
    ...shopVariables,
    ...pagesVariables,
    ...redeemVariables,
    ...payoutVariables,
  },
  process.env,
)
const telemetry = createTelemetry('order-changes')
const stores = connectStores(env, 1000, telemetry)
const shopfront = pointerShopfront(stores, s3Site(connectS3(), env.SITE_BUCKET))
const provider = await choosePayments(env, env.SHOP_URL)

const changes = changeOrderPorts(stores, shopfront, provider, telemetry)
const offers = rememberOffers(dynamoSales(stores.table))

const ports = {
  ...changes,
  orders: dynamoOrders(stores.table),
  deliveries: dynamoStoredDeliveries(stores.table, Date.now),
  offers,
  paymentPagesPerSecond: env.PAYMENT_PAGES_PER_SECOND,
}

const redeemPorts = {
  ...changes,
  offers,
  couponOrders: dynamoCouponOrders(stores.table),
  shopKeys: env.SHOP_KEYS ?? {},
  undoMs: (env.UNDO_MINUTES ?? 0) * 60_000,
  misses: missThrottle(missRule, Date.now),
}

const payoutPorts = {
  ...changes,
  payouts: dynamoPayouts(stores.table),
  payoutProvider: await choosePayouts(env, env.SHOP_URL),
  payoutStep: (currency: string) => priceStep(env.PAYMENT_PROVIDER, currency),
  payoutTerms: env.PAYOUTS,
  newId: () => randomUUID(),
}

export const handler = functionUrl(telemetry, (request) => {
  if (request.path.startsWith('/api/control/coupons/')) return answerRedeem(redeemPorts, request)
  if (request.path.startsWith('/api/wallet/')) return answerPayouts(payoutPorts, request)
  return answerOrderChanges(ports, request)
})
