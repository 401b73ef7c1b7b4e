/** Connects functions that write or change orders and publish the remaining units of their sales. */
import { address, type Environment, nonEmpty, paymentVariables, redisVariables, sqsVariables } from '../lib/env.ts'
import type { LatencyRecorder, Telemetry } from '../lib/telemetry.ts'
import { choosePayments } from '../orders/payments/choose.ts'
import { createPointerPublisher } from '../sales/publishing/pointer.ts'
import { wakingShopfront } from '../sales/publishing/shopfront.ts'
import { sqsWake } from './adapters/send.sqs.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectStores, releasePorts } from './connect.ts'

/** For functions that write orders. */
export const sellingVariables = {
  ...{ ...redisVariables, ...sqsVariables },
  ...{ TABLE_NAME: nonEmpty, SITE_BUCKET: nonEmpty, WAKE_QUEUE_URL: address },
}

/** For functions that change written orders: a change may need the payment provider. */
export const changingVariables = { ...sellingVariables, ...paymentVariables }

/** The time limit of a Redis call. */
const timeoutMs = 1000

export function connectSelling(env: Environment<typeof sellingVariables>, telemetry: Telemetry & LatencyRecorder) {
  const stores = connectStores(env, timeoutMs, telemetry)
  const { table, stock } = stores
  const site = s3Site(connectS3(), env.SITE_BUCKET)
  const sqs = connectSqs(env)
  const pointer = createPointerPublisher({ site, table, stock, clock: Date.now })
  const shopfront = wakingShopfront(pointer, sqsWake(sqs, env.WAKE_QUEUE_URL, telemetry))
  return { site, sqs, ...releasePorts(stores, shopfront, telemetry) }
}

export function connectChanging(env: Environment<typeof changingVariables>, telemetry: Telemetry & LatencyRecorder) {
  return { ...connectSelling(env, telemetry), provider: choosePayments(env) }
}
