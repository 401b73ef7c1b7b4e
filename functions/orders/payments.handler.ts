/** Wiring of `POST /api/payments/webhook`. */
import * as z from 'zod/mini'
import { nonEmpty, paymentVariables, readEnvironment, redisVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { simulatedPayments } from '../payments/payment-provider.simulated.ts'
import { isSecretList, simulatedWebhooks, webhookSignatures } from '../payments/payment-webhooks.simulated.ts'
import { connectStores } from '../stores/connect.ts'
import { connectS3, s3Site } from '../stores/site.s3.ts'
import { changeOrderPorts } from '../wiring/order-changes.ts'
import { pointerShopfront } from '../wiring/shopfront.ts'
import { answerWebhook } from './payments-http.ts'

const secrets = z
  .string('is missing')
  .check(z.refine(isSecretList, 'must be secrets of Standard Webhooks (whsec_…), with spaces between them'))

const env = readEnvironment(
  {
    ...redisVariables,
    TABLE_NAME: nonEmpty,
    SITE_BUCKET: nonEmpty,
    ...paymentVariables,
    WEBHOOK_SECRET: secrets,
  },
  process.env,
)
const telemetry = createTelemetry('payments')
const stores = connectStores(env, 1000, telemetry)
const shopfront = pointerShopfront(stores, s3Site(connectS3(), env.SITE_BUCKET))
const provider = simulatedPayments({ url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY })

const ports = {
  ...changeOrderPorts(stores, shopfront, provider, telemetry),
  webhooks: simulatedWebhooks(webhookSignatures(env.WEBHOOK_SECRET)),
}

export const handler = functionUrl(telemetry, (request) => answerWebhook(ports, request))
