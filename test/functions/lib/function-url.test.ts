import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createApp, on } from '../../../functions/lib/http/app.ts'
import { functionUrl } from '../../../functions/lib/http/function-url.ts'
import { forwardedRequest, urlEventOf } from '../../../proof/simulation/parts/requests.ts'
import { testTelemetry } from '../../world/telemetry.ts'

const operation = { method: 'GET', path: '/api/orders', answer: z.unknown() } as const
const event = urlEventOf(forwardedRequest(undefined, 'GET', '/api/orders'))

const broken = createApp({}, [
  on({ ...operation, path: '/api/sign-in/callback' }, async () => {
    throw new Error('broken')
  }),
])
const callback = urlEventOf(forwardedRequest(undefined, 'GET', '/api/sign-in/callback?code=c0de&state=s'))

describe('the answer of a function', () => {
  it('carries the time, so that the page of an order needs no request for it (C5)', async () => {
    const before = Date.now()
    const app = createApp({}, [on(operation, async () => ({ orders: [] }))])
    const { statusCode, headers, body } = await functionUrl(testTelemetry(), app)(event)
    expect([statusCode, body]).toEqual([200, '{"orders":[]}'])
    expect(headers['cache-control']).toBe('no-store')
    expect(Number(headers['x-sluice-now'])).toBeGreaterThanOrEqual(before)
    expect(Number(headers['x-sluice-now'])).toBeLessThanOrEqual(Date.now())
  })

  it('is 503 without the time where the function broke, and its line has the path without a sign-in code', async () => {
    const telemetry = testTelemetry()
    const { statusCode, headers } = await functionUrl(telemetry, broken)(callback)
    expect(statusCode).toBe(503)
    expect(headers).not.toHaveProperty('x-sluice-now')
    expect(telemetry.lines).toMatchObject([{ message: 'request failed', facts: { path: '/api/sign-in/callback' } }])
    expect(JSON.stringify(telemetry.lines)).not.toContain('c0de')
  })
})
