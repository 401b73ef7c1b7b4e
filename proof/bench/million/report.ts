/** The output of `bench -- million`: a row for each case, and targets over all cases. */
import type { RushVerdict } from '../../rush/verdict.ts'
import { atMost, type MeasuredLine, type Measurement } from '../harness.ts'
import { type LosingTime, losingTimeText } from '../processor-time.ts'
import { formatCount } from '../statistics.ts'
import { clickModel } from './clickers.ts'
import { type LatencyResult, latencyLine } from './latency.ts'
import type { PlayedCase } from './play.ts'

/** Cost grows with the stock, not with the number of shoppers. */
const targets = { lostBefore: 0.98, gateCommands: 0.001, functionCallsPerUnit: 1.3, preGateUs: 20 }

/** Limit of the default run, seconds. */
const usualSeconds = 120

/** The requests that the fleet must answer in a second (G6). */
const fleetAnswersPerSecond = 600_000

/**
 * `hasPreGateTarget`: 98 % of its losing clicks must be answered before the gates. `gateCommands` counts by kind, a
 * script as one; `allCommands` counts the whole system, including commands inside scripts.
 */
export type CaseResult = Omit<PlayedCase, 'preGate'> & {
  name: string
  hasPreGateTarget: boolean
  verdict: RushVerdict
  functionCalls: number
  gateCommands: ReadonlyMap<string, number>
  allCommands: number
  time: LosingTime
  /** Log lines of the gates, such as why the store did not answer. */
  reports: ReadonlyMap<string, number>
}

type MillionResult = {
  played: readonly CaseResult[]
  latency: readonly LatencyResult[]
  shoppers: number
  stock: number
  gates: number
  /** Duration of the whole measurement. */
  seconds: number
  hasEveryCase: boolean
  /** Failed requests of the gates to their store, by reason. */
  storeFailures: ReadonlyMap<string, number>
}

const headings = [
  ...['losing clicks', 'at a gate', 'lost before', 'most/s at gates', 'gate commands/click'],
  ...['all commands/click', 'sold', 'reserve/unit', 'pre-gate µs', 'all µs', 'virtual s'],
]

export function millionReport(result: MillionResult): Measurement {
  const { played, latency, shoppers, stock, gates, storeFailures } = result
  const maxOf = (read: (one: CaseResult) => number) => Math.max(...played.map(read))
  const preGateUs = total(played.map(preGateUsOf)) / played.length
  const perCore = 1_000_000 / preGateUs
  const unavailable = total(played.map(({ answers }) => answers.get('unavailable') ?? 0))
  const wrong = played.flatMap(({ name, verdict }) => verdict.violations.map((text) => `${name}: ${text}`))
  const bounds = (
    [
      ['gate commands ÷ losing clicks, maximum', maxOf(commandsPerClick), targets.gateCommands],
      ['calls of reserve ÷ units, maximum', maxOf(callsPerUnit(stock)), targets.functionCallsPerUnit],
      ['oversold, maximum', maxOf(({ verdict }) => verdict.oversold), 0],
      ['not sold, maximum', maxOf(({ verdict }) => stock - verdict.sold), 0],
      ['invariants broken', wrong.length, 0],
      ['answers `unavailable`, although nothing has failed', unavailable, 0],
      ['requests of the gates that their store did not answer', total([...storeFailures.values()]), 0],
      ['pre-gate, µs of processor time for a losing click', preGateUs, targets.preGateUs],
    ] as const
  ).map(([what, is, limit]) => atMost(what, is, limit, rounded(is)))
  const facts = {
    'invariants broken, in words': wrong.join('; ') || 'none',
    'why the store did not answer': counted(storeFailures) || 'it always did',
    'pre-gate, answers/s on a core': formatCount(Math.round(perCore)),
    [`cores for ${formatCount(fleetAnswersPerSecond)} answers/s`]: (fleetAnswersPerSecond / perCore).toFixed(1),
    gates: `${gates}, ${stock} units`,
    clicks: clickModel(shoppers),
  }
  const details = played.flatMap(({ name, time, answers, gateCommands, reports }) => [
    { what: `${name}: answers`, value: counted(answers) },
    { what: `${name}: gate commands`, value: counted(gateCommands) },
    { what: `${name}: processor time`, value: losingTimeText(time) },
    { what: `${name}: logs of the gates`, value: counted(reports) || 'empty' },
  ])
  return {
    name: 'million',
    lines: [
      { what: '', value: headings.join(' | ') },
      ...played.map((one) => rowOf(one, stock)),
      ...latency.map(latencyLine),
      ...bounds,
      timeLine(result),
      ...Object.entries(facts).map(([what, value]) => ({ what, value })),
      ...details,
    ],
  }
}

function timeLine({ seconds, hasEveryCase }: MillionResult): MeasuredLine {
  const what = 'time of the whole measurement, s'
  return hasEveryCase ? { what, value: seconds.toFixed(0) } : atMost(what, seconds, usualSeconds, { digits: 0 })
}

function rowOf(one: CaseResult, stock: number): MeasuredLine {
  const { name, losing, losingAtEdge, peakAtEdge, allCommands, verdict, time, virtualSeconds } = one
  const lostBefore = 1 - losingAtEdge / losing
  const values = [
    ...[formatCount(losing), formatCount(losingAtEdge), percent(lostBefore), formatCount(peakAtEdge)],
    ...[commandsPerClick(one).toFixed(5), (allCommands / losing).toFixed(4), String(verdict.sold)],
    ...[callsPerUnit(stock)(one).toFixed(3), preGateUsOf(one).toFixed(1), time.totalUs.toFixed(1)],
    virtualSeconds.toFixed(0),
  ]
  const value = values.map((text, at) => text.padStart(headings[at]?.length ?? 0)).join(' | ')
  if (!one.hasPreGateTarget) return { what: name, value }
  const met = lostBefore >= targets.lostBefore
  return { what: name, value, target: `lost before ≥ ${percent(targets.lostBefore)}`, met }
}

const rounded = (value: number) => ({ value: String(Number(value.toPrecision(3))) })

const commandsPerClick = ({ gateCommands, losing }: CaseResult) => total([...gateCommands.values()]) / losing
const callsPerUnit = (stock: number) => (one: CaseResult) => one.functionCalls / stock
const preGateUsOf = ({ time }: CaseResult) => time.parts.find(([part]) => part === 'pre-gate')?.[1] ?? 0
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** Formats counts, the most frequent first. */
function counted(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a)
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ')
}
