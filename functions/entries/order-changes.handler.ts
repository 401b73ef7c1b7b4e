/**
 * Wiring of `POST /api/orders/{orderId}/pay` and `/cancel`, and of coupons that shops redeem. In a stage whose shoppers
 * pay in a shop's own checkout, a schedule also invokes the function to publish the keys of reservations.
 */
import { pagesVariables, readEnvironment } from '../lib/env.ts'
import { composeApps } from '../lib/http/app.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import type { FunctionUrlEvent } from '../lib/http/stand-ins.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { cacheOffers } from '../orders/offers.ts'
import { orderChangesApp } from '../orders/order-changes-http.ts'
import { missThrottle, redeemApp } from '../orders/redeem.ts'
import { checkoutVariables, reservationSigner } from '../orders/reservation-token.ts'
import { redeemVariables } from '../orders/shop-keys.ts'
import { changingVariables, connectChanging } from './connect-selling.ts'

const env = readEnvironment(
  {
    ...changingVariables,
    ...pagesVariables,
    ...redeemVariables,
    ...checkoutVariables,
  },
  process.env,
)
const telemetry = createTelemetry('order-changes')
const changes = connectChanging(env, telemetry)
const offers = cacheOffers(changes.table)

const reservations = env.CHECKOUT_KEYS && reservationSigner(changes, env.CHECKOUT_KEYS, env.SHOP_URL)

const ports = {
  ...changes,
  offers,
  paymentPagesPerSecond: env.PAYMENT_PAGES_PER_SECOND,
  signReservation: reservations?.sign,
}

const redeemPorts = {
  ...changes,
  offers,
  shopKeys: env.SHOP_KEYS ?? {},
  undoMs: (env.UNDO_MINUTES ?? 0) * 60_000,
  misses: missThrottle(Date.now),
}

const answer = functionUrl(
  telemetry,
  composeApps({
    '/api/control/coupons': redeemApp(redeemPorts),
    '/': orderChangesApp(ports),
  }),
)

export const handler = (event: FunctionUrlEvent | { publishKeys: true }) =>
  'publishKeys' in event ? telemetry.during(async () => reservations?.publishKeys()) : answer(event)
