import { describe, expect, it } from 'vitest'
import { jsonAnswer } from '../../../functions/lib/http/answer.ts'
import { functionUrl } from '../../../functions/lib/http/function-url.ts'
import { testTelemetry } from '../../world/telemetry.ts'

const event = {
  ...{ rawPath: '/api/orders', rawQueryString: '', headers: {}, body: '', isBase64Encoded: false },
  requestContext: { http: { method: 'GET' } },
}

describe('the answer of a function', () => {
  it('carries the time, so that the page of an order needs no request for it (C5)', async () => {
    const before = Date.now()
    const { statusCode, headers, body } = await functionUrl(testTelemetry(), async () =>
      jsonAnswer(200, { orders: [] }),
    )(event)
    expect([statusCode, body]).toEqual([200, '{"orders":[]}'])
    expect(headers['cache-control']).toBe('no-store')
    expect(Number(headers['x-sluice-now'])).toBeGreaterThanOrEqual(before)
    expect(Number(headers['x-sluice-now'])).toBeLessThanOrEqual(Date.now())
  })

  it('is 503 without the time where the function broke', async () => {
    const { statusCode, headers } = await functionUrl(testTelemetry(), async () => {
      throw new Error('broken')
    })(event)
    expect(statusCode).toBe(503)
    expect(headers).not.toHaveProperty('x-sluice-now')
  })
  it('that broke leaves a line with the path, without the query and its sign-in code', async () => {
    const telemetry = testTelemetry()
    const broken = functionUrl(telemetry, async () => {
      throw new Error('broken')
    })
    await broken({ ...event, rawPath: '/api/sign-in/callback', rawQueryString: 'code=c0de&state=s' })
    expect(telemetry.lines).toMatchObject([
      { message: 'request failed', facts: { path: '/api/sign-in/callback' } },
    ])
    expect(JSON.stringify(telemetry.lines)).not.toContain('c0de')
  })
})
