/** Wiring of `/api/control`. */
import { dynamoAudit } from '../adapters/audit.dynamodb.ts'
import { dynamoCouponOrders } from '../adapters/coupon-orders.dynamodb.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisAdmissionsReader } from '../adapters/effects.redis.ts'
import { simulatedPayments } from '../adapters/payments.simulated.ts'
import { sqsQueueDepths } from '../adapters/queue-depth.sqs.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { sqsRedrive } from '../adapters/redrive.sqs.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import {
  gateVariables,
  paymentVariables,
  queueVariables,
  readEnvironment,
  stockVariables,
  text,
} from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { pageTemplates } from '../publishing/templates.ts'
import { upkeepPorts } from '../wiring/upkeep.ts'
import { answerControl } from './door.ts'

/** Asset name to public path, put in by the build. */
declare const SITE_ASSETS: Record<string, string>

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    ...queueVariables,
    SITE_BUCKET: text,
    ...paymentVariables,
  },
  process.env,
)
const telemetry = createTelemetry('control')
const sqs = connectSqs()
const orders = { queueUrl: env.ORDERS_QUEUE_URL, deadLettersUrl: env.ORDERS_DLQ_URL }
const deadlines = { queueUrl: env.DEADLINES_QUEUE_URL, deadLettersUrl: env.DEADLINES_DLQ_URL }
const claims = { queueUrl: env.CLAIMS_QUEUE_URL, deadLettersUrl: env.CLAIMS_DLQ_URL }
const queues = [orders, claims, deadlines]
const stores = {
  table: { client: connectDynamoDb(), name: env.TABLE_NAME },
  stock: connectStock(env, 2000, telemetry),
  gate: connectGate(env, 2000, telemetry),
}
const audit = dynamoAudit(stores.table)
const upkeep = upkeepPorts(
  {
    ...stores,
    sqs,
    orders,
    deadlines,
    claims,
    site: s3Site(connectS3(), env.SITE_BUCKET),
    templates: pageTemplates(SITE_ASSETS),
    provider: simulatedPayments({ url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY }),
  },
  telemetry,
)

const ports = {
  ...upkeep,
  couponOrders: dynamoCouponOrders(stores.table),
  admissionsReader: redisAdmissionsReader(stores.gate),
  auditReader: audit,
  auditTrail: audit,
  allDeadLetters: sqsQueueDepths(sqs, orders.queueUrl, ...queues.map(({ deadLettersUrl }) => deadLettersUrl))
    .deadLetters,
  deadLetters: sqsRedrive(sqs, queues),
}

export const handler = functionUrl(telemetry, (request) => answerControl(ports, request))
