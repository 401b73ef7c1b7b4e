/**
 * Sends three requests that shoppers and the payment provider depend on, from outside through CloudFront: a page from the
 * bucket, the clock from the viewer function, and a webhook that passes the gate, is signed for its function, and is rejected
 * there. None stores anything or needs a credential. The result is the heartbeat that the health of the system shows.
 */
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import type { signatureHeaders } from '../../core/orders/signature-headers.ts'
import type { Telemetry } from '../lib/telemetry.ts'

export type CanaryReply = { status: number; headers: Headers; text: string }

export type CanaryRequest = {
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

export type CanaryPorts = {
  /** Sends one request to the shop. @throws when there is no answer in time */
  ask: (request: CanaryRequest) => Promise<CanaryReply>
  /** Epoch ms. */
  clock: () => number
} & Telemetry

/** The expected answer. `fault` returns what is wrong, undefined when nothing is. */
type Check = {
  name: 'page' | 'clock' | 'webhook'
  request: (now: number) => CanaryRequest
  fault: (reply: CanaryReply, now: number) => string | undefined
}

/** Two synchronised clocks differ by less than this, including the request's own time. */
const clockToleranceMs = 5000

const time = z.object({ now: z.number() })
const problem = z.looseObject({ code: z.string() })

const page: Check = {
  name: 'page',
  request: () => ({ method: 'GET', path: '/' }),
  fault({ status, headers }) {
    const type = headers.get('content-type') ?? 'no content type'
    if (status !== 200) return `status ${status}`
    return type.startsWith('text/html') ? undefined : type
  },
}

const clock: Check = {
  name: 'clock',
  request: () => ({ method: 'GET', path: '/api/time' }),
  fault({ status, text }, now) {
    if (status !== 200) return `status ${status}`
    const read = readJson(time, text)
    if (!read.ok) return 'no time in the answer'
    const off = Math.abs(read.value.now - now)
    return off <= clockToleranceMs ? undefined : `${off} ms off`
  },
}

/** Well-formed, so the gate forwards it. It has no valid signature, so the function must reject it. */
const webhook: Check = {
  name: 'webhook',
  request(now) {
    const signature: Record<keyof typeof signatureHeaders, string> = {
      'webhook-id': `canary_${now}`,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    }
    return {
      method: 'POST',
      path: '/api/payments/webhook',
      headers: { ...signature, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'canary.test', timestamp: new Date(now).toISOString(), data: {} }),
    }
  },
  fault({ status, headers, text }) {
    const read = readJson(problem, text)
    const code = read.ok ? read.value.code : 'no problem document'
    if (status !== 401 || code !== 'signature-invalid') return `${status} ${code}`
    return headers.get('x-sluice-gate') === null ? undefined : `${status} ${code}, from the gate`
  },
}

const checks = [page, clock, webhook]

export type CanaryResult = { passed: string[]; failed: string[] }

/** Runs every check at once. Counts one `CanaryPassed` when all passed and one `CanaryFailed` per failure. */
export async function runCanary({ ask, clock: now, meter, log }: CanaryPorts): Promise<CanaryResult> {
  const seen = await Promise.all(checks.map(async (check) => ({ check, fault: await faultOf(check, ask, now) })))
  const failed = seen.flatMap(({ check, fault }) => (fault === undefined ? [] : [{ name: check.name, fault }]))
  for (const { name, fault } of failed) log.error('canary check failed', { check: name, reason: fault })
  if (failed.length > 0) meter.count('CanaryFailed', failed.length)
  else meter.count('CanaryPassed')
  return {
    passed: seen.filter(({ fault }) => fault === undefined).map(({ check }) => check.name),
    failed: failed.map(({ name }) => name),
  }
}

async function faultOf(check: Check, ask: CanaryPorts['ask'], clock: () => number): Promise<string | undefined> {
  try {
    return check.fault(await ask(check.request(clock())), clock())
  } catch (error) {
    return error instanceof Error ? `no answer: ${error.name}` : 'no answer'
  }
}
