/** The canary accepts a working shop and counts each fault. */
import { describe, expect, it } from 'vitest'
import type { LogFacts } from '../../../functions/lib/telemetry.ts'
import { type CanaryReply, type CanaryRequest, runCanary } from '../../../functions/repair/canary.ts'

const now = 1_800_000_000_000
const webhook = '/api/payments/webhook'

const json = (status: number, body: unknown, headers: Record<string, string> = {}): CanaryReply => ({
  status,
  headers: new Headers(headers),
  text: JSON.stringify(body),
})

const well: Record<string, CanaryReply> = {
  '/': { status: 200, headers: new Headers({ 'content-type': 'text/html; charset=utf-8' }), text: '<html>' },
  '/api/time': json(200, { now: now + 40 }),
  [webhook]: json(401, { code: 'signature-invalid' }),
}

async function run(change: Record<string, CanaryReply | Error> = {}) {
  const asked: CanaryRequest[] = []
  const counts: Record<string, number> = {}
  const errors: LogFacts[] = []
  const quiet = () => {}
  const result = await runCanary({
    async ask(request) {
      asked.push(request)
      const reply = change[request.path] ?? well[request.path]
      if (reply instanceof Error || reply === undefined) throw reply ?? new Error('not asked for')
      return reply
    },
    clock: () => now,
    meter: {
      count(name, amount = 1) {
        counts[name] = (counts[name] ?? 0) + amount
      },
    },
    log: { info: quiet, warn: quiet, error: (_, facts = {}) => void errors.push(facts) },
  })
  return { result, asked, counts, errors }
}

describe('the canary', () => {
  it('passes when page, clock and the rejection of an unsigned webhook are right, and reports that once', async () => {
    const { result, counts, errors } = await run()
    expect(result).toEqual({ passed: ['page', 'clock', 'webhook'], failed: [] })
    expect(counts).toEqual({ CanaryPassed: 1 })
    expect(errors).toEqual([])
  })

  it('sends a well-formed webhook without a valid signature, new each time', async () => {
    const { asked } = await run()
    expect(asked.find(({ path }) => path === webhook)).toMatchObject({
      method: 'POST',
      headers: {
        'webhook-id': `canary_${now}`,
        'webhook-timestamp': '1800000000',
        'webhook-signature': 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        'content-type': 'application/json',
      },
    })
  })

  it.each<[what: string, path: string, reply: CanaryReply | Error, check: string, reason: string]>([
    ['a page that is an error', '/', json(502, {}), 'page', 'status 502'],
    ['a page that is not HTML', '/', json(200, {}, { 'content-type': 'application/xml' }), 'page', 'application/xml'],
    ['a clock that is refused', '/api/time', json(503, {}), 'clock', 'status 503'],
    ['a clock without a time', '/api/time', json(200, {}), 'clock', 'no time in the answer'],
    ['a clock that a cache kept', '/api/time', json(200, { now: now - 5001 }), 'clock', '5001 ms off'],
    ['a webhook that was taken for genuine', webhook, json(200, {}), 'webhook', '200 no problem document'],
    [
      'a request that CloudFront signed wrongly',
      webhook,
      json(403, { Message: 'InvalidSignatureException' }),
      'webhook',
      '403 no problem document',
    ],
    ['a gate that is unavailable', webhook, json(503, { code: 'unavailable' }), 'webhook', '503 unavailable'],
    [
      'a refusal that the gate gave by itself, so no function was reached',
      webhook,
      json(401, { code: 'signature-invalid' }, { 'x-sluice-gate': 'refused' }),
      'webhook',
      '401 signature-invalid, from the gate',
    ],
    ['silence', '/', new DOMException('too late', 'TimeoutError'), 'page', 'no answer: TimeoutError'],
  ])('counts and logs %s', async (_, path, reply, check, reason) => {
    const { result, counts, errors } = await run({ [path]: reply })
    expect(result.failed).toEqual([check])
    expect(counts).toEqual({ CanaryFailed: 1 })
    expect(errors).toEqual([{ check, reason }])
  })

  it('runs all checks though one fails, and counts each failure', async () => {
    const { result, counts } = await run({ '/': json(500, {}), '/api/time': new Error('reset') })
    expect(result).toEqual({ passed: ['webhook'], failed: ['page', 'clock'] })
    expect(counts).toEqual({ CanaryFailed: 2 })
  })
})
