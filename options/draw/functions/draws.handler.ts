/** Wires the scheduled function that advances draws. */
import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import * as z from 'zod/mini'
import { connectS3, s3MaxAttempts } from '../../../functions/entries/adapters/site.s3.ts'
import { connectStores } from '../../../functions/entries/connect.ts'
import { jsonText, nonEmpty, readEnvironment, redisVariables, shopVariables } from '../../../functions/lib/env.ts'
import { systemTimers } from '../../../functions/lib/lock.ts'
import { createTelemetry } from '../../../functions/lib/telemetry.powertools.ts'
import { quicknet } from '../core/beacon.ts'
import { beaconChain } from '../core/rules.ts'
import { advanceDraws } from './advance-draws.ts'
import { drandBeacon, drandMirrors } from './beacon.drand.ts'
import { s3DrawFiles } from './draw-files.s3.ts'

/** A local beacon instead of drand's, on one machine. */
const otherBeacon = jsonText(
  z.strictObject({ chain: beaconChain, url: z.string() }),
  'must be {"chain", "url"} of a local beacon in JSON',
)

const env = readEnvironment(
  {
    ...{ ...redisVariables, ...shopVariables },
    ...{ TABLE_NAME: nonEmpty, SITE_BUCKET: nonEmpty, DRAW_BEACON: z.optional(otherBeacon) },
  },
  process.env,
)
const telemetry = createTelemetry('draws')
const stores = connectStores(env, 2000, telemetry)
const clock = Date.now
/** Timeout of one try. The list of a million entrants has 34 MB; more than two tries fit between the close and the deadline. */
const listMs = 15_000
const ports = { ...stores, clock, filesOf: s3DrawFiles(connectS3(listMs), env.SITE_BUCKET), ...telemetry }

const { chain, mirrors } = env.DRAW_BEACON
  ? { chain: env.DRAW_BEACON.chain, mirrors: [env.DRAW_BEACON.url] }
  : { chain: quicknet, mirrors: drandMirrors }
const beacon = { chain, ...drandBeacon({ chain, mirrors, clock, timeoutMs: 5000, shopUrl: env.SHOP_URL }) }

const scheduled = { ...ports, ...systemTimers, beacon, newId: () => randomUUID() }

/** Time reserved before the function times out, ms: that of the slowest write. */
const marginMs = s3MaxAttempts * listMs

export const handler = ({ runMs }: { runMs: number }, context: Pick<Context, 'getRemainingTimeInMillis'>) => {
  const until = clock() + Math.min(runMs, context.getRemainingTimeInMillis() - marginMs)
  return telemetry.during(() => advanceDraws(scheduled, until))
}
