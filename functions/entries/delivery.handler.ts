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

const env = readEnvironment({ TABLE_NAME: nonEmpty, ...personalVariables }, process.env)
const telemetry = createTelemetry('delivery')
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const clock = Date.now
const personalKeys = env.PERSONAL_KEYS

const ports = {
  offers: rememberOffers(table),
  table,
  sealer: createSealer(personalKeys, clock),
  personalKeys,
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
