/** `npm run rush -- --mode all`: runs the same crowd in each mode and compares them side by side (L9). */
import { columns } from '../../cli/sale/print.ts'
import type { System } from '../bench/system.ts'
import type { Peak } from './load.ts'
import { gapOf, type ModeFacts, type Share } from './mode-facts.ts'
import { optionModes } from './option-modes.ts'
import { builtInModes, type RushOptions } from './options.ts'
import { percentilesText, type RushResult, rushReport } from './report.ts'
import { runRush } from './run-rush.ts'

/** Runs all modes. Modes of options wait before their sale starts; the other modes run meanwhile. */
export async function runAllModes(system: System, options: RushOptions): Promise<RushResult[]> {
  const results: RushResult[] = []
  let play = async () => {
    for (const mode of builtInModes) results.push(await runRush(system, { ...options, mode }))
  }
  for (const { name: mode } of optionModes) {
    const meanwhile = play
    play = async () => void results.push(await runRush(system, { ...options, mode, meanwhile }))
  }
  await play()
  return results
}

/** Returns the report of each mode, and a table that compares them. */
export function modesReport(results: readonly RushResult[]): string {
  const facts = results.flatMap(({ mode }) => mode ?? [])
  const row = (name: string, textOf: (facts: ModeFacts) => string) => [name, ...facts.map(textOf)]
  const shares = (of: (facts: ModeFacts) => readonly Share[]) =>
    (facts[0] === undefined ? [] : of(facts[0])).map(({ name }, i) => row(`  ${name}`, (one) => shareText(of(one)[i])))
  const peak = (name: string) => [
    `  ${name}`,
    ...results.map(({ peaks }) => peakText(peaks.find((one) => one.name === name))),
  ]
  // Modes of options have all peaks of the others, in the same order.
  const [most] = results.toSorted((a, b) => b.peaks.length - a.peaks.length)
  const peaks = most?.peaks.map(({ name }) => name) ?? []
  const rows = [
    ['units sold', ...results.map(({ verdict, stock }) => `${verdict.sold} of ${stock}`)],
    ['', ...facts.map(() => '')],
    ['stability', ...facts.map(() => '')],
    row('  answers in the busiest second', ({ busiestSecond }) => String(busiestSecond)),
    row('  errors', ({ errors }) => String(errors)),
    row('  function calls', ({ functionRuns }) => String(functionRuns)),
    row('  Redis commands', ({ redisCommands }) => String(redisCommands)),
    ...peaks.map(peak),
    ['', ...facts.map(() => '')],
    ['fairness: who won', ...facts.map(() => '')],
    ...shares(({ byTrip }) => byTrip),
    row('  between near and far, points', ({ byTrip }) => (100 * gapOf(byTrip)).toFixed(1)),
    ...shares(({ byBot }) => byBot),
    ...shares(({ byAccounts }) => byAccounts),
    ['', ...facts.map(() => '')],
    ['experience', ...facts.map(() => '')],
    row('  requests of a shopper', ({ requests }) => requests.toFixed(2)),
    row('  refusals of a shopper', ({ refusals }) => refusals.toFixed(2)),
    row('  wait from the start', ({ wait }) => percentilesText(wait)),
  ]
  const table = columns(['', ...facts.map(({ mode }) => mode)], rows)
  return [...results.map(rushReport), '', table].join('\n')
}

function shareText(share: Share | undefined): string {
  if (share === undefined || share.shoppers === 0) return '-'
  return `${share.won} of ${share.shoppers} (${((100 * share.won) / share.shoppers).toFixed(1)} %)`
}

function peakText(peak: Peak | undefined): string {
  return peak === undefined ? '-' : `${peak.requests}, ${peak.failed} to repeat, p99 ${peak.p99Ms} ms`
}
