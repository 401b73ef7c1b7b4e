/**
 * Wiring of the scheduled repair. An event `{minAgeMs, holdAgeMs, full}` changes the run; `tickMs` also runs the ticks of
 * the sales for that time. A message of the queue `wake` names one sale.
 */
import type { Context, SQSEvent } from 'aws-lambda'
import * as z from 'zod/mini'
import { troubleName } from '../../core/api/health.ts'
import { parse, whole } from '../../core/lib/parse.ts'
import { readEnvironment } from '../lib/env.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { minAgeMs } from '../recovery/orders/resend-outbox.ts'
import type { ReconcileOptions } from '../recovery/ports.ts'
import { holdAgeMs } from '../recovery/stock/compare-holds.ts'
import type { Reconciled } from '../repair/job.ts'
import { handleWakeups, reconcileAndTick } from '../repair/run.ts'
import { createHeartbeat } from '../table/heartbeat.ts'
import { heartbeatPut } from '../table/heartbeats.ts'
import { seriesRecorder } from '../tick/record-series.ts'
import { connectRepair, repairVariables } from './repair-ports.ts'

const telemetry = createTelemetry('reconcile')
const { ports } = await connectRepair(readEnvironment(repairVariables, process.env), telemetry)

const signPorts = { ...ports, put: heartbeatPut(ports.table) }
const signs = {
  reconcile: createHeartbeat(signPorts, 'reconcile'),
  tick: createHeartbeat(signPorts, 'tick'),
  sales: createHeartbeat(signPorts, 'reconciled-sales'),
}

/** More sales in trouble have one cause, which the health of the components shows. */
const maxTroubles = 100

/** A scheduled event has other fields, which are ignored. */
const onDemand = z.object({
  minAgeMs: z._default(whole(0, 86_400_000), minAgeMs),
  holdAgeMs: z._default(whole(0, 86_400_000), holdAgeMs),
  full: z._default(z.boolean('must be true or false'), false),
  tickMs: z._default(whole(0, 60_000), 0),
})

/** The time that remains for the last started sale before the function times out, ms. */
const marginMs = 5000

/** The time limit for the visits of all sales, ms, also in a run that ticks longer. */
const maxReconcileMs = 25_000

const isWake = (event: unknown): event is SQSEvent => typeof event === 'object' && event !== null && 'Records' in event

type Invocation = Pick<Context, 'getRemainingTimeInMillis'>

export const handler = (event: unknown, context: Invocation): Promise<Reconciled | undefined> =>
  telemetry.during(async () => {
    if (isWake(event)) {
      const bodies = event.Records.map(({ body }) => body)
      await handleWakeups(
        ports,
        bodies,
        Date.now() + context.getRemainingTimeInMillis() - marginMs,
        seriesRecorder(ports),
      )
      return undefined
    }
    const asked = parse(onDemand, event ?? {})
    if (!asked.ok) throw new TypeError(asked.detail)
    const { tickMs, ...options } = asked.value
    const startedAt = Date.now()
    const deadline = startedAt + context.getRemainingTimeInMillis() - marginMs
    const until = {
      reconcile: Math.min(startedAt + maxReconcileMs, deadline),
      tick: Math.min(startedAt + tickMs, deadline),
    }
    const troubles = new Map<string, string>()
    const report: ReconcileOptions['report'] = (trouble) => {
      troubles.set(`${trouble.saleId} ${trouble.trouble}`, troubleName(trouble))
    }
    const { done, hasTicked } = await reconcileAndTick(ports, { ...options, report }, until, seriesRecorder(ports))
    await Promise.all([
      signs.sales([...troubles.values()].slice(0, maxTroubles)),
      signs.tick(hasTicked === undefined ? 1 : 0),
      signs.reconcile(done === undefined ? 1 : 0),
    ])
    return done
  })
