import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CloudFrontRequest, CloudFrontRequestEvent } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { openEdgeClock } from '../../../local/cdn/edge-times.ts'

const event: CloudFrontRequestEvent = { Records: [] }
const forwarded: CloudFrontRequest = { clientIp: '', headers: {}, method: 'GET', querystring: '', uri: '/' }

function workFor(ms: number): void {
  const from = performance.now()
  while (performance.now() - from < ms);
}

describe('the clock of the functions at the edge', () => {
  it('times refusals of the gate that waited for nothing', async () => {
    const clock = openEdgeClock()
    const gate = clock.gate(async () => {
      workFor(0.2)
      await Promise.resolve()
      return { status: '410' }
    })
    for (let i = 0; i < 50; i += 1) expect(await gate(event)).toEqual({ status: '410' })
    const { calls, timed, us } = clock.read().gate
    expect(calls).toBe(50)
    expect(timed, 'all but those that the machine interrupted').toBeGreaterThan(0)
    expect(us / timed).toBeGreaterThanOrEqual(200)
    expect(us / timed).toBeLessThanOrEqual(1000)
  })

  it('counts calls that waited, were interrupted or were forwarded, without a time', async () => {
    const clock = openEdgeClock()
    const waiting = clock.gate(async () => {
      await nextTurn()
      return { status: '503' }
    })
    const interrupted = clock.gate(() => {
      workFor(1.5)
      return { status: '410' }
    })
    const passing = clock.gate(() => forwarded)
    for (const gate of [waiting, interrupted, passing]) await gate(event)
    expect(clock.read().gate).toEqual({ calls: 3, timed: 0, us: 0 })
  })

  it('times the pre-gate, and keeps the readings that it gave', async () => {
    const clock = openEdgeClock()
    const first = clock.read()
    const preGate = clock.preGate((text: string) => text.length)
    expect(await preGate('abc')).toBe(3)
    expect(clock.read().preGate.calls).toBe(1)
    expect(first.preGate.calls).toBe(0)
  })
})
