import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTelemetry } from '../../../functions/lib/telemetry.powertools.ts'

let written: Record<string, unknown>[]

beforeEach(() => {
  // With POWERTOOLS_DEV the lines go through console, and metrics are off unless asked for.
  vi.stubEnv('POWERTOOLS_DEV', 'true')
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false')
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'Sluice/test')
  written = []
  vi.spyOn(console, 'log').mockImplementation((line) => void written.push(JSON.parse(String(line))))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

const counts = () => written.map(({ Reserved, SoldOut }) => ({ Reserved, SoldOut }))

describe('metrics', () => {
  it('of a stage are written with the invocation and function that counted them, so that none is lost in a frozen environment', async () => {
    const telemetry = createTelemetry('test')
    await telemetry.during(async () => {
      telemetry.meter.count('Reserved')
      telemetry.meter.count('Reserved', 2)
    })
    expect(written).toMatchObject([
      {
        ...{ Reserved: 3, service: 'test' },
        _aws: { CloudWatchMetrics: [{ Namespace: 'Sluice/test', Dimensions: [['service']] }] },
      },
    ])
    await telemetry.during(async () => {})
    expect(written).toHaveLength(1)
  })

  it('share a line while invocations overlap, at most one a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const telemetry = createTelemetry('test')
    let finish = () => {}
    const last = telemetry.during(() => new Promise<void>((resolve) => (finish = resolve)))
    const one = () => telemetry.during(async () => telemetry.meter.count('Reserved'))
    for (let i = 0; i < 50; i += 1) await one()
    expect(written).toEqual([])
    vi.advanceTimersByTime(1000)
    await one()
    expect(counts()).toEqual([{ Reserved: 51, SoldOut: undefined }])
    telemetry.meter.count('SoldOut')
    finish()
    await last
    expect(counts()[1]).toEqual({ Reserved: undefined, SoldOut: 1 })
  })

  it('are written also when the invocation fails', async () => {
    const telemetry = createTelemetry('test')
    const failing = telemetry.during(async () => {
      telemetry.meter.count('SoldOut')
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
    expect(counts()).toEqual([{ Reserved: undefined, SoldOut: 1 }])
  })

  it('keep the highest of ages and sizes instead of their sum', async () => {
    const telemetry = createTelemetry('test')
    await telemetry.during(async () => {
      telemetry.meter.count('OutboxAge', 30)
      telemetry.meter.count('OutboxAge', 12)
      telemetry.meter.count('EdgeStoreLagMs', 40_000)
      telemetry.meter.count('EdgeStoreLagMs', 50_000)
    })
    expect(written[0]).toMatchObject({ OutboxAge: 30, EdgeStoreLagMs: 50_000 })
    expect(written[0]).toHaveProperty(
      '_aws.CloudWatchMetrics.0.Metrics',
      expect.arrayContaining([
        { Name: 'OutboxAge', Unit: 'Seconds' },
        { Name: 'EdgeStoreLagMs', Unit: 'Milliseconds' },
      ]),
    )
    await telemetry.during(async () => telemetry.meter.count('OutboxAge', 0))
    expect(written[1], 'an empty outbox, so that an alarm clears').toMatchObject({ OutboxAge: 0 })
  })
})

describe('latencies', () => {
  it('keep every value of an invocation, besides its counts', async () => {
    const telemetry = createTelemetry('test')
    await telemetry.during(async () => {
      telemetry.record('RedisLatency', 1.23456)
      telemetry.record('GateRedisLatency', 7)
      telemetry.record('RedisLatency', 900)
      telemetry.meter.count('Reserved')
    })
    expect(written).toHaveLength(1)
    expect(written[0]).toMatchObject({ RedisLatency: [1.23, 900], GateRedisLatency: 7, Reserved: 1 })
    expect(written[0]).toHaveProperty(
      '_aws.CloudWatchMetrics.0.Metrics',
      expect.arrayContaining([{ Name: 'RedisLatency', Unit: 'Milliseconds' }]),
    )
    await telemetry.during(async () => {})
    expect(written).toHaveLength(1)
  })

  it('take as many lines as needed, with at most a hundred values each, and lose none', async () => {
    const telemetry = createTelemetry('test')
    const values = Array.from({ length: 250 }, (_, index) => index + 1)
    await telemetry.during(async () => {
      telemetry.meter.count('Reserved', 3)
      for (const value of values) telemetry.record('RedisLatency', value)
      telemetry.record('GateRedisLatency', 5)
    })
    const lines = written.map(({ RedisLatency }) => RedisLatency as number[])
    expect(lines.map((line) => line.length)).toEqual([100, 100, 50])
    expect(lines.flat()).toEqual(values)
    expect(written.map(({ Reserved, GateRedisLatency }) => [Reserved, GateRedisLatency])).toEqual([
      [3, undefined],
      [undefined, undefined],
      [undefined, 5],
    ])
    await telemetry.during(async () => {
      for (const value of values.slice(0, 100)) telemetry.record('RedisLatency', value)
    })
    expect(written.slice(3), 'one full line').toHaveLength(1)
  })
})
