/** Wiring of all calls with personal data: deliveries of orders, contacts of shoppers, and the calls of options. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { unsubscribeRoute } from '../../core/people/mail.ts'
import { nonEmpty, readEnvironment } from '../lib/env.ts'
import { composeApps } from '../lib/http/app.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createSealer } from '../lib/sealer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { cacheOffers } from '../orders/offers.ts'
import { deliveryApp, unsubscribeApp } from '../people/delivery.ts'
import { personalVariables } from '../people/delivery-settings.ts'
import { personalControlApp } from '../people/personal-data-routes.ts'
import { connectDynamoDb } from '../table/dynamodb.ts'
import { optionHandlers, optionVariables } from './option-handlers.ts'

const env = readEnvironment(
  { ...optionVariables, TABLE_NAME: nonEmpty, ...personalVariables, SENDS_MAILS: z.optional(z.literal('yes')) },
  process.env,
)
const telemetry = createTelemetry('delivery')
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const clock = Date.now
const personalKeys = env.PERSONAL_KEYS

const ports = {
  offers: cacheOffers(table),
  table,
  sealer: createSealer(personalKeys, clock),
  personalKeys,
  sendsMails: env.SENDS_MAILS === 'yes',
  newId: () => randomUUID(),
  keepMs: env.PERSONAL_DAYS * 24 * 3600 * 1000,
  clock,
  sleep: (milliseconds: number) => sleep(milliseconds),
}

const { ofStaff, ofShoppers } = optionHandlers(ports, env)

export const handler = functionUrl(
  telemetry,
  composeApps({
    '/api/control': personalControlApp(ports, ofStaff),
    [unsubscribeRoute]: unsubscribeApp(ports),
    '/': deliveryApp(ports, ofShoppers),
  }),
)
