/** Wiring of `/api/orders`. */
import { setTimeout as pause } from 'node:timers/promises'
import { redisAvailability } from '../adapters/availability.redis.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisGate } from '../adapters/effects.redis.ts'
import { redisHoldings } from '../adapters/holdings.redis.ts'
import { redisHolds } from '../adapters/holds.redis.ts'
import { rememberOffers } from '../adapters/offers.memory.ts'
import { dynamoOrderLedger } from '../adapters/order-ledger.dynamodb.ts'
import { dynamoOrders } from '../adapters/orders.dynamodb.ts'
import { simulatedPayments } from '../adapters/payments.simulated.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { dynamoRefunds } from '../adapters/refunds.dynamodb.ts'
import { dynamoReleases } from '../adapters/releases.dynamodb.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables, text } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { createPointerPublisher } from '../publishing/pointer.ts'
import { answerOrders } from './http.ts'

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    SITE_BUCKET: text,
    PAYMENT_URL: address,
    PAYMENT_API_KEY: text,
  },
  process.env,
)
const telemetry = createTelemetry('orders')
const redis = connectStock(env, 1000)
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const sales = dynamoSales(table)
const offers = rememberOffers(sales)

const ports = {
  orders: dynamoOrders(table),
  holds: redisHolds(redis),
  prices: offers,
  offers,
  ledger: dynamoOrderLedger(table),
  releases: dynamoReleases(table),
  refunds: dynamoRefunds(table),
  holdings: redisHoldings(redis),
  gate: redisGate(connectGate(env, 1000)),
  shopfront: {
    refresh: createPointerPublisher({
      site: s3Site(connectS3(), env.SITE_BUCKET),
      sales,
      stock: redisAvailability(redis),
      clock: Date.now,
    }),
  },
  provider: simulatedPayments({ url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY }),
  clock: Date.now,
  pause: (milliseconds: number) => pause(milliseconds),
  ...telemetry,
}

export const handler = functionUrl(telemetry, (request) => answerOrders(ports, request))
