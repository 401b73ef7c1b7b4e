/** Shared by the tests of functions: readable telemetry, and requests as the gate forwards them. */

import type { HttpRequest } from '../../functions/lib/http/request.ts'
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
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    during: (work) => work(),
  }
}

/** A request of shopper `who`, with the headers that only the gate can set. */
export function requestOf(
  who: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): HttpRequest {
  const [pathname = '', query = ''] = path.split('?')
  return {
    method,
    path: pathname,
    query: new URLSearchParams(query),
    headers: {
      ...(who === undefined ? {} : { 'x-shopper-id': who }),
      'x-request-id': 'request-1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  }
}
