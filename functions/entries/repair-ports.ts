/** The adapters of the repair jobs, for the schedule and for a marketer's request. */
import { randomBytes, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import {
  type Environment,
  edgeStoreVariables,
  nonEmpty,
  paymentVariables,
  queueVariables,
  redisVariables,
  sqsVariables,
} from '../lib/env.ts'
import { publicJson } from '../lib/http/public-http.ts'
import { systemTimers } from '../lib/lock.ts'
import type { LatencyRecorder, Telemetry } from '../lib/telemetry.ts'
import { choosePayments } from '../orders/payments/choose.ts'
import { templatesAtFirstPage } from '../sales/publishing/page-templates.ts'
import { createPublisher } from '../sales/publishing/publisher.ts'
import { fullShopfront } from '../sales/publishing/shopfront.ts'
import { sqsDeadOrders, sqsQueueDepth, sqsRetry } from './adapters/dead-letters.sqs.ts'
import { cloudFrontEdgeStore, connectEdgeStore } from './adapters/edge-store.cloudfront.ts'
import { sqsBulkSender } from './adapters/send.sqs.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectStores, releasePorts } from './connect.ts'

/** Maps asset names to public paths; the build inserts it. */
declare const SITE_ASSETS: Record<string, string>

const tokenBytes = 32

/** Returns an unguessable text: the token of an epoch (C6), or the key of a day's passes. */
const newToken = (): string => randomBytes(tokenBytes).toString('base64url')

export const repairVariables = {
  ...redisVariables,
  ...sqsVariables,
  TABLE_NAME: nonEmpty,
  ...queueVariables,
  SITE_BUCKET: nonEmpty,
  ...edgeStoreVariables,
  ...paymentVariables,
  SENDS_MAILS: z.optional(z.literal('yes')),
  PUBLIC_ADDRESSES: z.optional(z.literal('any')),
}

/** The time limit of a Redis call. */
const timeoutMs = 2000

/** Connects what the repair jobs need. `queues` are all queues with dead letters. */
export async function connectRepair(env: Environment<typeof repairVariables>, telemetry: Telemetry & LatencyRecorder) {
  const stores = connectStores(env, timeoutMs, telemetry)
  const { table, databases, stock, gate } = stores
  const sqs = connectSqs(env)
  const orders = { queueUrl: env.ORDERS_QUEUE_URL, deadLettersUrl: env.ORDERS_DLQ_URL }
  const deadlines = { queueUrl: env.DEADLINES_QUEUE_URL, deadLettersUrl: env.DEADLINES_DLQ_URL }
  const site = s3Site(connectS3(), env.SITE_BUCKET)
  const edgeStore = cloudFrontEdgeStore(connectEdgeStore(), env.EDGE_STORE_ARN)
  const templates = templatesAtFirstPage(SITE_ASSETS, env.SHOP_URL)
  const publisher = createPublisher({ site, edgeStore, gate, table, stock, templates, clock: Date.now, ...telemetry })
  const ports = {
    ...releasePorts(stores, fullShopfront(publisher), telemetry),
    provider: choosePayments(env),
    randomBytes,
    readPublicJson: publicJson({ allowsAnyAddress: env.PUBLIC_ADDRESSES === 'any', shopUrl: env.SHOP_URL }),
    orderQueue: { ...sqsBulkSender(sqs, orders.queueUrl), depth: sqsQueueDepth(sqs, orders.queueUrl) },
    deadOrders: sqsDeadOrders(sqs, orders),
    deadTimers: sqsRetry(sqs, deadlines),
    publisher,
    site,
    edgeStore,
    sendsMails: env.SENDS_MAILS === 'yes',
    newToken,
    newId: () => randomUUID(),
    ...systemTimers,
  }
  return { ports, databases, sqs, queues: [orders, deadlines] as const }
}
