/** Formats the report of a rush: parts that all rushes share, and those of goods and coupons. */

import { columns } from '../../cli/sale/print.ts'
import { counted } from '../../core/lib/text.ts'
import type { Percentiles } from '../bench/statistics.ts'
import type { Load, Peak } from './load.ts'
import type { LostDatabase } from './lost-database.ts'
import type { ModeFacts } from './mode-facts.ts'
import type { RoundFacts, ShownDelay } from './run-round.ts'
import type { RushVerdict, VariantCount } from './verdict.ts'

export type RushResult = RoundFacts & {
  seed: number
  stock: number
  verdict: RushVerdict
  /** Present in a rush with `--mode`. */
  mode?: ModeFacts
}

export function rushReport(result: RushResult): string {
  const { verdict, load, written, readable, lostDatabase } = result
  return fullReport(result, [
    ['sold', `${verdict.sold} of ${result.stock === -1 ? 'unlimited' : result.stock} (expected ${verdict.expected})`],
    ...(verdict.coupons === undefined ? [] : [['coupons', counted(verdict.coupons, 'code')] as const]),
    ...(verdict.variants ?? []).map(variantFact),
    ['oversold', String(verdict.oversold)],
    ['lost', String(verdict.lost)],
    ['stranded', String(verdict.stranded)],
    ['gave up', String(result.gaveUp)],
    ['requests', `${Math.round(result.requestsPerSecond)}/s for ${result.seconds.toFixed(1)} s`],
    ['order written', written === undefined ? '-' : `${percentilesText(written)} after its reservation`],
    ['order readable', shownFact(readable, '202')],
    ...(lostDatabase === undefined ? [] : [lossFact(lostDatabase)]),
    ...loadFacts(load, 'request'),
  ])
}

function variantFact({ id, stock, sold, oversold, wanted }: VariantCount): Fact {
  return [`of which ${id}`, `${sold} of ${stock} (${wanted} wanted at first, ${oversold} oversold)`]
}

function lossFact({ movedShards, heldBack, seconds }: LostDatabase): Fact {
  const moves = movedShards.map(({ shard, from, to }) => `shard ${shard + 1} moved from ${from} to ${to}`)
  const held = `${counted(heldBack, 'unit')} held back at first`
  return ['lost database', `${[...moves, held].join(', ')}; recovered after ${seconds.toFixed(1)} s`]
}

type Fact = readonly [name: string, value: string]

export function percentilesText({ p50Ms, p99Ms }: Percentiles): string {
  return `p50 ${p50Ms} ms, p99 ${p99Ms} ms`
}

/** Returns how long it took until a sample of winners saw the result of an answer with that status. */
export function shownFact(shown: ShownDelay, status: string): string {
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

function peakRow({ name, requests, failed, p50Ms, p99Ms, maxMs }: Peak): string[] {
  return [name, String(requests), String(failed), `${p50Ms} ms`, `${p99Ms} ms`, `${maxMs} ms`]
}

/** Returns the whole report: facts, answers, peaks and violations. */
export function fullReport(
  result: RoundFacts & { seed: number; verdict: { violations: string[] } },
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
