/** Wiring of `POST /api/payments/webhook`, and of the reports of a shop that takes the money itself. */
import * as z from 'zod/mini'
import { address, nonEmpty, readEnvironment } from '../lib/env.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
import { composeApps } from '../lib/http/app.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import type { FunctionUrlEvent } from '../lib/http/stand-ins.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { cacheOffers } from '../orders/offers.ts'
import { webhookApp } from '../orders/payment-events.ts'
import { paymentOutcomes } from '../orders/payment-outcomes.ts'
import { chooseWebhooks } from '../orders/payments/choose.ts'
import { reservationsApp } from '../orders/reservations.ts'
import { shopKeyDigests } from '../orders/shop-keys.ts'
import { createHeartbeat } from '../table/heartbeat.ts'
import { heartbeatPut } from '../table/heartbeats.ts'
import { sqsBulkSender } from './adapters/send.sqs.ts'
import { changingVariables, connectChanging } from './connect-selling.ts'

const env = readEnvironment(
  {
    ...changingVariables,
    WEBHOOK_SECRET: nonEmpty,
    SHOP_KEYS: z.optional(shopKeyDigests),
    ORDERS_QUEUE_URL: z.optional(address),
  },
  process.env,
)
const telemetry = createTelemetry('payments')
const changes = connectChanging(env, telemetry)

const reservationPorts = env.ORDERS_QUEUE_URL && {
  ...changes,
  offers: cacheOffers(changes.table),
  shopKeys: env.SHOP_KEYS ?? {},
  orderQueue: sqsBulkSender(changes.sqs, env.ORDERS_QUEUE_URL),
}

const outcomes = paymentOutcomes(changes.clock)

const answer = functionUrl(
  telemetry,
  composeApps({
    ...(reservationPorts && { '/api/control/reservations': reservationsApp(reservationPorts) }),
    '/': webhookApp({ ...changes, outcomes, webhooks: await chooseWebhooks(env) }),
  }),
)

const signPorts = { ...changes, put: heartbeatPut(changes.table) }
const sign = createHeartbeat(signPorts, 'payments')
const signOfSales = createHeartbeat(signPorts, 'paid-sales')

/** The heartbeat is a message that was signed and accepted. */
export const handler = async (event: FunctionUrlEvent): Promise<HttpAnswer> => {
  const answered = await answer(event)
  if (answered.statusCode < 300) await Promise.all([sign(), signOfSales(outcomes.failing())])
  return answered
}
