/**
 * Creates the logger and the meter. Metrics are EMF lines in the log, so counting costs no network call. Counts add up in
 * memory. They are flushed when the last running invocation of the environment ends, or once a second while others run.
 * Lambda runs one invocation at a time, so no count is left in a frozen environment. A host that runs many at once writes
 * one line for all.
 */
import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import type { LatencyName, LatencyRecorder, Log, MetricName, Telemetry } from './telemetry.ts'

const flushIntervalMs = 1000
const gauges = new Set<MetricName>(['OutboxAge', 'OutboxSize', 'Drift', 'CapMismatch', 'EdgeStoreLagMs'])

export type FunctionTelemetry = Telemetry & {
  /** Runs one invocation and flushes its counts, at the latest when the last concurrent invocation ends. */
  during: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * Creates the telemetry of the function `service`. POWERTOOLS_LOG_LEVEL sets the level (default INFO).
 * POWERTOOLS_METRICS_NAMESPACE separates the metrics of two stages in one account.
 */
export function createTelemetry(service: string): FunctionTelemetry & LatencyRecorder {
  const logger = new Logger({ serviceName: service })
  const metrics = new Metrics({ serviceName: service })
  const totals = new Map<MetricName, number>()
  const latencies = new Map<LatencyName, number[]>()
  let running = 0
  let flushedAt = Date.now()

  const flush = () => {
    flushedAt = Date.now()
    for (const [name, total] of totals) metrics.addMetric(name, unitOf(name), total)
    totals.clear()
    // A line holds a hundred values of a name; the library writes it when it is full.
    for (const [name, values] of latencies) {
      for (const value of values) metrics.addMetric(name, MetricUnit.Milliseconds, toHundredths(value))
    }
    latencies.clear()
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics()
  }

  return {
    log: logOf(logger),
    meter: {
      count(name, amount = 1) {
        const before = totals.get(name) ?? 0
        totals.set(name, gauges.has(name) ? Math.max(before, amount) : before + amount)
      },
    },
    record(name, milliseconds) {
      const values = latencies.get(name)
      if (values === undefined) latencies.set(name, [milliseconds])
      else values.push(milliseconds)
    },
    async during(work) {
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        if (running === 0 || Date.now() - flushedAt >= flushIntervalMs) flush()
      }
    },
  }
}

function logOf(logger: Logger): Log {
  return {
    info: (message, facts = {}) => logger.info(message, facts),
    warn: (message, facts = {}) => logger.warn(message, facts),
    error: (message, facts = {}) => logger.error(message, facts),
  }
}

/** A log line is billed by its length. */
const toHundredths = (milliseconds: number) => Math.round(milliseconds * 100) / 100

function unitOf(name: MetricName) {
  if (name === 'EdgeStoreLagMs') return MetricUnit.Milliseconds
  return name === 'OutboxAge' ? MetricUnit.Seconds : MetricUnit.Count
}
