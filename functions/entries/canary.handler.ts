/** Wiring of the canary. Invoked with `{url}`, because the shop's address is known only after the distribution exists. */
import * as z from 'zod/mini'
import { parse } from '../../core/lib/parse.ts'
import { userAgent } from '../../core/lib/user-agent.ts'
import { address, readEnvironment, tableVariables } from '../lib/env.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { type CanaryPorts, type CanaryResult, runCanary } from '../repair/canary.ts'
import { createHeartbeat } from '../table/heartbeat.ts'
import { openPut } from '../table/put-item.ts'

/** A slower shop counts as down, and the function has ten seconds. */
const timeoutMs = 8000

const scheduled = z.object({ url: address })

const telemetry = createTelemetry('canary')
const put = openPut(readEnvironment(tableVariables, process.env))
const sign = createHeartbeat({ ...telemetry, put, clock: Date.now }, 'canary')

const shopRequester =
  (url: string): CanaryPorts['ask'] =>
  async ({ path, method, headers, body }) => {
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'user-agent': userAgent(url), ...headers },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

export const handler = (event: unknown): Promise<CanaryResult> =>
  telemetry.during(async () => {
    const asked = parse(scheduled, event)
    if (!asked.ok) throw new TypeError(asked.detail)
    const result = await runCanary({ ...telemetry, ask: shopRequester(asked.value.url), clock: Date.now })
    await sign(result.failed)
    return result
  })
