/** What a function needs that changes orders or packets of sales, and publishes what their sales have left. */
import { type Environment, nonEmpty, redisVariables } from '../lib/env.ts'
import type { Telemetry, Watch } from '../lib/telemetry.ts'
import { createPointerPublisher } from '../sales/publishing/pointer.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectStores } from './connect.ts'
import { releasePorts } from './release-ports.ts'

/** The variables of such a function. */
export const sellingVariables = { ...redisVariables, TABLE_NAME: nonEmpty, SITE_BUCKET: nonEmpty }

/** A Redis call that takes longer is rejected. */
const timeoutMs = 1000

export function connectSelling(env: Environment<typeof sellingVariables>, telemetry: Telemetry & Watch) {
  const stores = connectStores(env, timeoutMs, telemetry)
  const { table, stock } = stores
  const site = s3Site(connectS3(), env.SITE_BUCKET)
  const shopfront = { refresh: createPointerPublisher({ site, table, stock, clock: Date.now }) }
  return { site, ...releasePorts(stores, shopfront, telemetry) }
}
