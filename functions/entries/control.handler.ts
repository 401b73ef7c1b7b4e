/** Wiring of `/api/control`. */

import { answerControl } from '../control/http.ts'
import {
  edgeStoreVariables,
  nonEmpty,
  paymentVariables,
  queueVariables,
  readEnvironment,
  redisVariables,
  sqsVariables,
} from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { choosePayments, choosePayouts, priceStep } from '../orders/payments/choose.ts'
import { pageTemplates } from '../sales/publishing/templates.ts'
import { dynamoSaleRows } from '../table/sale/sale-rows.ts'
import { dynamoTemplates } from '../table/sale/templates.ts'
import { cloudFrontEdgeStore, connectEdgeStore } from './adapters/edge-store.cloudfront.ts'
import { sqsQueueDepths } from './adapters/queue-depth.sqs.ts'
import { sqsRedrive } from './adapters/redrive.sqs.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectStores } from './connect.ts'
import { connectDatabases } from './redis.ts'
import { repairPorts } from './repair-ports.ts'

/** Asset name to public path, put in by the build. */
declare const SITE_ASSETS: Record<string, string>

const env = readEnvironment(
  {
    ...redisVariables,
    ...sqsVariables,
    TABLE_NAME: nonEmpty,
    ...queueVariables,
    SITE_BUCKET: nonEmpty,
    ...edgeStoreVariables,
    ...paymentVariables,
  },
  process.env,
)
const telemetry = createTelemetry('control')
const sqs = connectSqs(env)
const orders = { queueUrl: env.ORDERS_QUEUE_URL, deadLettersUrl: env.ORDERS_DLQ_URL }
const deadlines = { queueUrl: env.DEADLINES_QUEUE_URL, deadLettersUrl: env.DEADLINES_DLQ_URL }
const claims = { queueUrl: env.CLAIMS_QUEUE_URL, deadLettersUrl: env.CLAIMS_DLQ_URL }
const queues = [orders, claims, deadlines]
const timeoutMs = 2000
const stores = connectStores(env, timeoutMs, telemetry)
const repair = repairPorts(
  {
    ...stores,
    sqs,
    orders,
    deadlines,
    claims,
    site: s3Site(connectS3(), env.SITE_BUCKET),
    edgeStore: cloudFrontEdgeStore(connectEdgeStore(), env.EDGE_STORE_ARN),
    templates: pageTemplates(SITE_ASSETS),
    provider: await choosePayments(env),
    payoutProvider: await choosePayouts(env),
  },
  telemetry,
)

const ports = {
  ...repair,
  rows: dynamoSaleRows(stores.table),
  databases: env.STOCK_DATABASES,
  priceStep: (currency: string) => priceStep(env.PAYMENT_PROVIDER, currency),
  databaseNamed: connectDatabases(env, timeoutMs, telemetry),
  templates: dynamoTemplates(stores.table),
  allDeadLetters: sqsQueueDepths(sqs, orders.queueUrl, ...queues.map(({ deadLettersUrl }) => deadLettersUrl))
    .deadLetters,
  deadLetters: sqsRedrive(sqs, queues),
}

export const handler = functionUrl(telemetry, (request) => answerControl(ports, request))
