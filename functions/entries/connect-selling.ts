/** What a function needs that changes orders of sales, and publishes what their sales have left. */
import { address, type Environment, nonEmpty, redisVariables, sqsVariables } from '../lib/env.ts'
import type { Telemetry, Watch } from '../lib/telemetry.ts'
import { createPointerPublisher } from '../sales/publishing/pointer.ts'
import { wakingShopfront } from '../sales/publishing/shopfront.ts'
import { sqsWake } from './adapters/send.sqs.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectStores, releasePorts } from './connect.ts'

/** The variables of such a function. */
export const sellingVariables = {
  ...{ ...redisVariables, ...sqsVariables },
  ...{ TABLE_NAME: nonEmpty, SITE_BUCKET: nonEmpty, WAKE_QUEUE_URL: address },
}

/** A Redis call that takes longer is rejected. */
const timeoutMs = 1000

export function connectSelling(env: Environment<typeof sellingVariables>, telemetry: Telemetry & Watch) {
  const stores = connectStores(env, timeoutMs, telemetry)
  const { table, stock } = stores
  const site = s3Site(connectS3(), env.SITE_BUCKET)
  const sqs = connectSqs(env)
  const pointer = createPointerPublisher({ site, table, stock, clock: Date.now })
  const shopfront = wakingShopfront(pointer, sqsWake(sqs, env.WAKE_QUEUE_URL, telemetry))
  return { site, sqs, ...releasePorts(stores, shopfront, telemetry) }
}
