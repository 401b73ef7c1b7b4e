/** Wiring of `POST /api/payments/webhook`. */
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { redisAvailability } from '../adapters/availability.redis.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisGate } from '../adapters/effects.redis.ts'
import { redisHoldings } from '../adapters/holdings.redis.ts'
import { dynamoOrderLedger } from '../adapters/order-ledger.dynamodb.ts'
import { simulatedPayments } from '../adapters/payments.simulated.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { dynamoRefunds } from '../adapters/refunds.dynamodb.ts'
import { dynamoReleases } from '../adapters/releases.dynamodb.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { isSecretList, webhookSignatures } from '../adapters/webhook-signature.ts'
import { address, gateVariables, readEnvironment, stockVariables, text } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { createPointerPublisher } from '../publishing/pointer.ts'
import { answerWebhook } from './http.ts'

const secrets = z
  .string('is missing')
  .check(z.refine(isSecretList, 'must be secrets of Standard Webhooks (whsec_…), with spaces between them'))

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    SITE_BUCKET: text,
    PAYMENT_URL: address,
    PAYMENT_API_KEY: text,
    WEBHOOK_SECRET: secrets,
  },
  process.env,
)
const telemetry = createTelemetry('payments')
const redis = connectStock(env, 1000)
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }

const ports = {
  signatures: webhookSignatures(env.WEBHOOK_SECRET),
  ledger: dynamoOrderLedger(table),
  releases: dynamoReleases(table),
  refunds: dynamoRefunds(table),
  holdings: redisHoldings(redis),
  gate: redisGate(connectGate(env, 1000)),
  shopfront: {
    refresh: createPointerPublisher({
      site: s3Site(connectS3(), env.SITE_BUCKET),
      sales: dynamoSales(table),
      stock: redisAvailability(redis),
      clock: Date.now,
    }),
  },
  provider: simulatedPayments({ url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY }),
  clock: Date.now,
  pause: (milliseconds: number) => pause(milliseconds),
  ...telemetry,
}

export const handler = functionUrl(telemetry, (request) => answerWebhook(ports, request))
