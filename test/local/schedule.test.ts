/** The stand-in for a scheduled rule: on its rate, on demand, and never cut off by stopping. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSchedule } from '../../local/lambda/schedule.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp(handler: (event: unknown) => unknown = () => 'done') {
  const events: unknown[] = []
  const failures: unknown[] = []
  const fn = {
    name: 'reconcile',
    timeoutMs: 1000,
    invocations: 0,
    handler: async (event: unknown) => {
      events.push(event)
      return handler(event)
    },
  }
  const schedule = startSchedule(fn, 60_000, (failure) => failures.push(failure))
  return { events, failures, schedule }
}

describe('a schedule', () => {
  it('invokes the function once per interval, with the event of a rule', async () => {
    const { events, schedule } = setUp()
    await vi.advanceTimersByTimeAsync(59_999)
    expect(events).toEqual([])
    await vi.advanceTimersByTimeAsync(60_001)
    expect(events).toHaveLength(2)
    expect(events[0]).toMatchObject({ source: 'aws.events', 'detail-type': 'Scheduled Event' })
    await schedule.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(events).toHaveLength(2)
  })

  it('runs now when asked, with that payload as the event, and tells the result', async () => {
    const { events, schedule } = setUp()
    expect(await schedule.run({ minAgeMs: 0 })).toBe('done')
    expect(events).toEqual([{ minAgeMs: 0 }])
    await schedule.stop()
  })

  it('reports a failed run and goes on', async () => {
    const { events, failures, schedule } = setUp(() => Promise.reject(new Error('no')))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(events).toHaveLength(2)
    expect(failures).toHaveLength(2)
    await schedule.stop()
  })

  it('waits for the run under way when it is stopped', async () => {
    const gate = Promise.withResolvers<void>()
    const { schedule } = setUp(() => gate.promise)
    const run = schedule.run()
    let stopped = false
    const stopping = schedule.stop().then(() => {
      stopped = true
    })
    await vi.advanceTimersByTimeAsync(10)
    expect(stopped).toBe(false)
    gate.resolve()
    await stopping
    await run
  })
})
