/** Wiring of `/api/control`. */
import { randomBytes, randomUUID } from 'node:crypto'
import { dynamoAudit } from '../adapters/audit.dynamodb.ts'
import { redisAvailability, redisStockReader } from '../adapters/availability.redis.ts'
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { redisGate, redisStockShelf } from '../adapters/effects.redis.ts'
import { sqsQueueDepths } from '../adapters/queue-depth.sqs.ts'
import { connectGate, connectStock } from '../adapters/redis.ts'
import { dynamoSales } from '../adapters/sales.dynamodb.ts'
import { connectS3, s3Site } from '../adapters/site.s3.ts'
import { connectSqs } from '../adapters/sqs.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { address, gateVariables, readEnvironment, stockVariables, text } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { createPublisher } from '../publishing/publisher.ts'
import { pageTemplates } from '../publishing/templates.ts'
import { answerControl } from './door.ts'

/** Asset name to public path, put in by the build. */
declare const SITE_ASSETS: Record<string, string>

const startTokenBytes = 32

const env = readEnvironment(
  {
    ...stockVariables,
    ...gateVariables,
    TABLE_NAME: text,
    ORDERS_QUEUE_URL: address,
    ORDERS_DLQ_URL: address,
    SITE_BUCKET: text,
  },
  process.env,
)
const telemetry = createTelemetry('control')
const redis = connectStock(env, 2000)
const gate = connectGate(env, 2000)
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }
const sales = dynamoSales(table)

const ports = {
  sales,
  cap: sales,
  auditReader: dynamoAudit(table),
  stock: redisStockShelf(redis),
  stockReader: redisStockReader(redis),
  gate: redisGate(gate),
  publisher: createPublisher({
    site: s3Site(connectS3(), env.SITE_BUCKET),
    sales,
    stock: redisAvailability(redis),
    templates: pageTemplates(SITE_ASSETS),
    clock: Date.now,
  }),
  queues: sqsQueueDepths(connectSqs(), env.ORDERS_QUEUE_URL, env.ORDERS_DLQ_URL),
  newToken: () => randomBytes(startTokenBytes).toString('base64url'),
  newId: () => randomUUID(),
  clock: Date.now,
}

export const handler = functionUrl(telemetry, (request) => answerControl(ports, request))
