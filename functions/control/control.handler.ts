/** Wiring of `/api/control`. */

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
import { choosePayments, choosePayouts, priceStep } from '../payments/choose.ts'
import { pageTemplates } from '../sales/publishing/templates.ts'
import { dynamoAudit } from '../stores/audit.dynamodb.ts'
import { connectStores } from '../stores/connect.ts'
import { cloudFrontEdgeStore, connectEdgeStore } from '../stores/edge-store.cloudfront.ts'
import { dynamoPaidOrders } from '../stores/paid-orders.dynamodb.ts'
import { sqsQueueDepths } from '../stores/queue-depth.sqs.ts'
import { connectDatabases } from '../stores/redis.ts'
import { sqsRedrive } from '../stores/redrive.sqs.ts'
import { dynamoSaleRows } from '../stores/sale-rows.dynamodb.ts'
import { connectS3, s3Site } from '../stores/site.s3.ts'
import { connectSqs } from '../stores/sqs.ts'
import { dynamoTemplates } from '../stores/templates.dynamodb.ts'
import { repairPorts } from '../wiring/repair.ts'
import { answerControl } from './http.ts'

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
const audit = dynamoAudit(stores.table)
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
  paidOrders: dynamoPaidOrders(stores.table),
  rows: dynamoSaleRows(stores.table),
  databases: env.STOCK_DATABASES,
  priceStep: (currency: string) => priceStep(env.PAYMENT_PROVIDER, currency),
  databaseNamed: connectDatabases(env, timeoutMs, telemetry),
  templates: dynamoTemplates(stores.table),
  auditReader: audit,
  auditTrail: audit,
  allDeadLetters: sqsQueueDepths(sqs, orders.queueUrl, ...queues.map(({ deadLettersUrl }) => deadLettersUrl))
    .deadLetters,
  deadLetters: sqsRedrive(sqs, queues),
}

export const handler = functionUrl(telemetry, (request) => answerControl(ports, request))
