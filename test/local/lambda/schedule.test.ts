/** The local schedule: at once, at its rate, on demand, and stopped quickly. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSchedule } from '../../../local/lambda/schedule.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const input = { tickMs: 58_000 }

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
  const schedule = startSchedule(fn, { everyMs: 60_000, input }, (failure) => failures.push(failure))
  return { events, failures, schedule }
}

describe('a schedule', () => {
  it('invokes the function at once and then once per interval, with its scheduled input', async () => {
    const { events, schedule } = setUp()
    expect(events).toEqual([input])
    await vi.advanceTimersByTimeAsync(59_999)
    expect(events).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(60_001)
    expect(events).toEqual([input, input, input])
    await schedule.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(events).toHaveLength(3)
  })

  it('runs on demand, with that payload as the event, and returns the result', async () => {
    const { events, schedule } = setUp()
    expect(await schedule.run({ minAgeMs: 0 })).toBe('done')
    expect(events).toEqual([input, { minAgeMs: 0 }])
    await schedule.stop()
  })

  it('runs on demand without the scheduled input', async () => {
    const { events, schedule } = setUp()
    await schedule.run()
    expect(events).toEqual([input, {}])
    await schedule.stop()
  })

  it('reports a failed run and continues', async () => {
    const { events, failures, schedule } = setUp(() => Promise.reject(new Error('no')))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(events).toHaveLength(2)
    expect(failures).toHaveLength(2)
    await schedule.stop()
  })

  it('waits for a run on demand when it is stopped', async () => {
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

  it('abandons a scheduled run when it is stopped, and does not report its end', async () => {
    const gate = Promise.withResolvers<void>()
    const { failures, schedule } = setUp(() => gate.promise)
    await schedule.stop()
    gate.reject(new Error('what it worked with is gone'))
    await vi.advanceTimersByTimeAsync(10)
    expect(failures).toEqual([])
  })
})
