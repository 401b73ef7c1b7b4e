/** The end of a run of played sales for people: what befell them, what was asked of them, and what did not hold. */

import { spelled } from '../bench/statistics.ts'
import { columns } from '../cli/sale/print.ts'
import type { Tally } from './engine/diary.ts'
import type { PlayedSale } from './harness.ts'
import type { Run } from './run.ts'

/** Steps before the end that are worth reading. */
const lastLines = 80

/** What is asked of every sale, and when. */
const invariants = [
  ['I1', 'after every write: no more units stand than there are; at the end: all are sold'],
  ['I2', 'every order promised is one that its shopper sees, or Redis lost it before anybody knew of it'],
  ['I3', 'after every write: nobody has more than the limit, nor less room than that'],
  ['I4', 'after every script: booked = held; at rest: booked = holds = standing orders = cap'],
  ['I5', 'one key, one order, one effect'],
  ['I6', 'nobody wins where a sale is shut; all comes right by itself once the parts are back'],
  ['K4', 'nobody takes or frees a lock that another holds'],
  ['money', 'what came is the price of a paid order, or it went back, once'],
  [
    'coupons',
    'a standing order shows a code for each unit, nobody else has them, and none ever changes; others show none',
  ],
  [
    'packets',
    'after every write: one packet each, one owner each, wallets = claimed <= budget; at rest: all who were',
  ],
  ['', 'told of one have it, what waits is the rest; at the end: claimed = budget, or claimed + returned'],
] as const

/** All faults but the mere order of steps, which is chosen anew at every step. */
export function faultsIn({ faults }: Tally): number {
  return sum(
    [...faults.values()].flatMap((kinds) =>
      [...kinds].flatMap(([kind, count]) => (kind === 'overtaken' ? [] : [count])),
    ),
  )
}

export function reportLines(run: Run, seconds: number): string {
  const { seed, played, kinds, promised, excused, tally } = run
  const facts = [
    ['seed', String(seed)],
    ['sales', `${spelled(played)} in ${seconds.toFixed(1)} s`],
    ['of which', [...kinds].map(([kind, count]) => `${spelled(count)} ${kind}`).join(', ')],
    ['steps', spelled(sum([...tally.steps.values()]))],
    ['faults', spelled(faultsIn(tally))],
    ['orders promised', spelled(promised.orders)],
    ['packets promised', spelled(promised.packets)],
    ['at rest', `${run.restAfterMinutes} min after the storm at the latest`],
    ['lost with Redis', `${spelled(excused)} whose message was nowhere else`],
  ]
  return [
    columns(['a run of', 'played sales'], facts),
    '',
    columns(['fault', 'times'], byKind(tally)),
    '',
    columns(['operation', 'steps', 'faults'], byOperation(tally)),
    '',
    columns(
      ['checked', 'in every sale'],
      invariants.map(([id, what]) => [id, what]),
    ),
    '',
    run.failed === undefined ? 'every invariant held' : failureLines(run.failed, seed),
  ].join('\n')
}

/** How a sale ended, and how to see it again. */
export function failureLines({ number, kind, violations, lines }: PlayedSale, seed: number): string {
  return [
    `sale ${number} of seed ${seed}: ${violations.length} violations`,
    ...violations.map((violation) => `  ${violation}`),
    '',
    `the last steps up to the first of them`,
    ...stepsBefore(lines),
    '',
    `again: npm run faults -- --seed ${seed} --kind ${kind} --only ${number}`,
  ].join('\n')
}

/** The diary marks a violation where it was seen. */
function stepsBefore(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => /^ *[\d.]+ {2}! /.test(line))
  const end = first === -1 ? lines.length : first + 1
  return lines.slice(Math.max(0, end - lastLines), end)
}

function byKind({ faults }: Tally): string[][] {
  const kinds = new Map<string, number>()
  for (const counts of faults.values()) {
    for (const [kind, count] of counts) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  }
  return [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => [kind, spelled(count)])
}

function byOperation({ steps, faults }: Tally): string[][] {
  return [...new Set([...steps.keys(), ...faults.keys()])].sort().map((operation) => {
    const counts = [...(faults.get(operation) ?? [])].filter(([kind]) => kind !== 'overtaken')
    const kinds = counts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`)
    const taken = steps.get(operation)
    return [operation, taken === undefined ? '' : spelled(taken), kinds.join(', ')]
  })
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
