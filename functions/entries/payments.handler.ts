/** Wiring of `POST /api/payments/webhook`. */
import { nonEmpty, paymentVariables, readEnvironment, redisVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { choosePayments, chooseWebhooks } from '../orders/payments/choose.ts'
import { webhookApp } from '../orders/payments-http.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectStores } from './connect.ts'
import { changeOrderPorts } from './order-change-ports.ts'
import { pointerShopfront } from './pointer-shopfront.ts'

const env = readEnvironment(
  {
    ...redisVariables,
    TABLE_NAME: nonEmpty,
    SITE_BUCKET: nonEmpty,
    ...paymentVariables,
    WEBHOOK_SECRET: nonEmpty,
  },
  process.env,
)
const telemetry = createTelemetry('payments')
const stores = connectStores(env, 1000, telemetry)
const shopfront = pointerShopfront(stores, s3Site(connectS3(), env.SITE_BUCKET))
const provider = await choosePayments(env)

const ports = {
  ...changeOrderPorts(stores, shopfront, provider, telemetry),
  webhooks: await chooseWebhooks(env),
}

export const handler = functionUrl(telemetry, webhookApp(ports))
