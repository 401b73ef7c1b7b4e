/** Wiring of `/pay/`, the simulated payment provider. */
import { nonEmpty, readEnvironment, shopVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { paymentSimulatorApp, webhookSender } from '../orders/payments/payment-simulator.ts'
import { newestSecret } from '../orders/payments/payment-webhooks.simulated.ts'
import { connectDynamoDb } from '../table/dynamodb.ts'
import { dynamoSimulatedPayments } from '../table/orders/simulated-payments.ts'

const env = readEnvironment(
  { TABLE_NAME: nonEmpty, PAYMENT_API_KEY: nonEmpty, WEBHOOK_SECRET: nonEmpty, ...shopVariables },
  process.env,
)
const telemetry = createTelemetry('payment-simulator')

const ports = {
  store: dynamoSimulatedPayments({ client: connectDynamoDb(), name: env.TABLE_NAME }, Date.now),
  clock: Date.now,
  apiKey: env.PAYMENT_API_KEY,
  deliver: webhookSender({ shopUrl: env.SHOP_URL, secret: newestSecret(env.WEBHOOK_SECRET) }, telemetry.log),
}

export const handler = functionUrl(telemetry, paymentSimulatorApp(ports))
