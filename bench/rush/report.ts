/** The end of a rush for people: what was sold, how fast the answers came, and what it cost. */
import { columns } from '../../local/sale/print.ts'
import { type Spread, spread } from '../statistics.ts'
import type { Cost } from './cost.ts'
import type { Try } from './shopper.ts'
import type { Verdict } from './verdict.ts'

export type AnswerSummary = Spread & { code: string; count: number }

export type Result = {
  saleId: string
  seed: number
  shoppers: number
  stock: number
  quantity: number
  verdict: Verdict
  answers: AnswerSummary[]
  gaveUp: number
  seconds: number
  clicksPerSecond: number
  /** From the reservation to the written order, for every order. */
  written: Spread | undefined
  /** From the 202 to the order's own page, for a sample of winners. */
  readable: (Spread & { sampled: number }) | undefined
  load: Load
  cost: Cost
}

/**
 * `redisPerLosingClick` divides every command of the rush, the winners' included, so it is an upper bound;
 * `functionRunsPerLosingClick` counts the runs of `reserve` beyond one per win.
 */
export type Load = {
  losingClicks: number
  redisCommands: number
  functionRuns: number
  redisPerLosingClick: number
  functionRunsPerLosingClick: number
}

/** Tries grouped by what was answered, the commonest first. */
export function summarise(tries: Try[]): AnswerSummary[] {
  return [...Map.groupBy(tries, ({ code }) => code)]
    .map(([code, made]) => ({ code, count: made.length, ...spread(made.map(({ ms }) => ms)) }))
    .sort((a, b) => b.count - a.count)
}

export function reportLines(result: Result): string {
  const { verdict, load, cost, written, readable } = result
  const dollars = (amount: number) => `$${amount.toFixed(amount < 0.01 ? 6 : 2)}`
  const facts = [
    [
      'sold',
      `${verdict.sold} of ${result.stock === -1 ? 'unlimited' : result.stock} (expected ${verdict.expected})`,
    ],
    ['oversold', String(verdict.oversold)],
    ['lost', String(verdict.lost)],
    ['stranded', String(verdict.stranded)],
    ['gave up', String(result.gaveUp)],
    ['clicks', `${Math.round(result.clicksPerSecond)}/s for ${result.seconds.toFixed(1)} s`],
    [
      'order written',
      written === undefined ? '-' : `p50 ${written.p50Ms} ms, p99 ${written.p99Ms} ms after its unit`,
    ],
    [
      'order readable',
      readable === undefined
        ? '-'
        : `p50 ${readable.p50Ms} ms, p99 ${readable.p99Ms} ms after the 202 (${readable.sampled} winners asked)`,
    ],
    [
      'Redis commands',
      `${load.redisCommands} in all, at most ${load.redisPerLosingClick.toFixed(3)} per losing click`,
    ],
    [
      'function calls',
      `${load.functionRuns} in all, ${load.functionRunsPerLosingClick.toFixed(3)} per losing click`,
    ],
    [
      'cloud cost',
      `${dollars(cost.total)} (CDN ${dollars(cost.cdn)}, gate ${dollars(cost.gate)}, functions ${dollars(cost.functions)}, Redis ${dollars(cost.redis)}, orders ${dollars(cost.orders)})`,
    ],
  ]
  const answers = result.answers.map((a) => [a.code, String(a.count), `${a.p50Ms} ms`, `${a.p99Ms} ms`])
  return [
    '',
    ...facts.map(([name, value]) => `${(name ?? '').padEnd(16)}${value}`),
    '',
    columns(['answer', 'count', 'p50', 'p99'], answers),
    '',
    ...(verdict.violations.length === 0
      ? ['Every invariant holds.']
      : verdict.violations.map((violation) => `VIOLATION ${violation}`)),
    `(sale ${result.saleId}, seed ${result.seed})`,
  ].join('\n')
}
