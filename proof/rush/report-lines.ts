/** Parts of the report that all rushes share. */
import { columns } from '../../cli/sale/print.ts'
import { counted } from '../../core/lib/text.ts'
import type { Percentiles } from '../bench/statistics.ts'
import type { Load } from './load.ts'
import type { Peak } from './peaks.ts'
import type { CrowdFacts, Shown } from './run-round.ts'

export type Fact = readonly [name: string, value: string]

export function percentilesText({ p50Ms, p99Ms }: Percentiles): string {
  return `p50 ${p50Ms} ms, p99 ${p99Ms} ms`
}

/** How long it took until a sample of winners saw what an answer of that status had said. */
export function shownFact(shown: Shown, status: string): string {
  if (shown === undefined) return '-'
  return `${percentilesText(shown)} after the ${status} (${counted(shown.sampled, 'winner')} asked)`
}

/** `request` is the name of one request in the report. */
export function loadFacts(load: Load, request: string): Fact[] {
  const { redisCommands, redisPerLosingRequest, functionRuns, functionRunsPerLosingRequest } = load
  return [
    ['Redis commands', `${redisCommands} in total, at most ${redisPerLosingRequest.toFixed(3)} per losing ${request}`],
    ['function calls', `${functionRuns} in total, ${functionRunsPerLosingRequest.toFixed(3)} per losing ${request}`],
  ]
}

function peakRow({ name, requests, failed, p50Ms, p99Ms, longestMs }: Peak): string[] {
  return [name, String(requests), String(failed), `${p50Ms} ms`, `${p99Ms} ms`, `${longestMs} ms`]
}

/** The whole report: facts, answers, peaks and violations. */
export function fullReport(
  result: CrowdFacts & { saleId: string; seed: number; verdict: { violations: string[] } },
  facts: readonly Fact[],
): string {
  const { saleId, seed, verdict } = result
  const answers = result.answers.map((a) => [a.code, String(a.count), `${a.p50Ms} ms`, `${a.p99Ms} ms`])
  return [
    '',
    ...facts.map(([name, value]) => `${name.padEnd(16)}${value}`),
    '',
    columns(['answer', 'count', 'p50', 'p99'], answers),
    '',
    columns(['peak', 'requests', 'to repeat', 'p50', 'p99', 'longest wait'], result.peaks.map(peakRow)),
    '',
    ...(verdict.violations.length === 0
      ? ['Every invariant holds.']
      : verdict.violations.map((violation) => `VIOLATION ${violation}`)),
    `(sale ${saleId}, seed ${seed})`,
  ].join('\n')
}
