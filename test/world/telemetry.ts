/** Telemetry that a test can read. */
import type { FunctionTelemetry } from '../../functions/lib/telemetry.powertools.ts'
import type { LogFacts, MetricName } from '../../functions/lib/telemetry.ts'

export type TestTelemetry = FunctionTelemetry & {
  counted: (name: MetricName) => number
  lines: { level: string; message: string; facts: LogFacts }[]
}

export function testTelemetry(): TestTelemetry {
  const totals = new Map<MetricName, number>()
  const lines: TestTelemetry['lines'] = []
  const at =
    (level: string) =>
    (message: string, facts: LogFacts = {}) => {
      lines.push({ level, message, facts })
    }
  return {
    lines,
    counted: (name) => totals.get(name) ?? 0,
    meter: { count: (name, amount = 1) => totals.set(name, (totals.get(name) ?? 0) + amount) },
    log: { info: at('info'), warn: at('warn'), error: at('error') },
    during: (work) => work(),
  }
}
