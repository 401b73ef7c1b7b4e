/** Formats the report of a simulation run: injected faults, operations, checked invariants and violations. */
import { columns } from '../../cli/sale/print.ts'
import { counted } from '../../core/lib/text.ts'
import { formatCount } from '../bench/statistics.ts'
import type { FaultCounts } from './engine/trace.ts'
import { maxSimulatedShards, maxSimulatedVariants } from './sale.ts'
import { allOptions, type SimulatedSale } from './simulate-sale.ts'
import type { SimulationRun } from './simulate-sales.ts'

/** Steps shown before a failure. */
const lastLines = 80

/** The invariants, and when they are checked. */
const invariants = [
  ['I1', 'after every write: units held by orders <= stock; at the end: all are sold'],
  ['I2', 'every reserved order is visible to its shopper, unless Redis lost it before it was recorded elsewhere'],
  ['I3', 'after every write: no shopper has more than the limit, or less room than the limit leaves'],
  ['I4', 'after every script: booked = held; at rest: booked = holds = units of orders = cap'],
  ['I5', 'one key, one order, one effect'],
  ['I6', 'a closed sale sells nothing; the sale comes to rest by itself once all parts are back'],
  ['N1', 'after every script and write: no variant is oversold; at rest: Redis, cap, gate and page agree on each'],
  ['K4', 'no client takes or frees a lock that another holds'],
  ['money', 'every payment is the price of a paid order, or was released, or refunded once'],
  ['carts', 'what was paid in the checkout of the shop has its order until the shop releases it, and no other'],
  [
    'coupons',
    'a fulfilled order shows a code for each unit; codes belong to one order and never change; others show none',
  ],
  ...allOptions.flatMap(({ checked }) => checked),
  [
    'packets',
    'after every write: one packet each, one owner each, wallets = claimed <= budget; at rest: each answered',
  ],
  ['', 'claim is credited, the others are unclaimed; at the end: claimed = budget, or claimed + returned'],
  [
    'console',
    'in a sale that is visited once it is over: lists, searches, tables, audit, wallets and addresses show what was written',
  ],
] as const

/** Counts all faults except `overtaken`, which is drawn at every step. */
export function faultCount({ faults }: FaultCounts): number {
  return sum(
    [...faults.values()].flatMap((kinds) =>
      [...kinds].flatMap(([kind, count]) => (kind === 'overtaken' ? [] : [count])),
    ),
  )
}

export function faultReport(run: SimulationRun, seconds: number): string {
  if (run.failed !== undefined) return failureReport(run.failed, run)
  const { seed, simulated, kinds, split, varied, counts, answered, excused, tally } = run
  const facts = [
    ['seed', String(seed)],
    ['sales', `${formatCount(simulated)} in ${seconds.toFixed(1)} s`],
    ['of which', [...kinds].map(([kind, count]) => `${formatCount(count)} ${kind}`).join(', ')],
    ['split', `${formatCount(split)} over 2 to ${maxSimulatedShards} shards`],
    ['variants', `${formatCount(varied)} with 2 to ${maxSimulatedVariants}`],
    ...allOptions.map(({ name, rowOf }) => [...rowOf(counts.get(name) ?? {})]),
    ['steps', formatCount(sum([...tally.steps.values()]))],
    ['faults', formatCount(faultCount(tally))],
    ['orders reserved', formatCount(answered.orders)],
    ['packets claimed', formatCount(answered.packets)],
    ['at rest', `${run.restAfterMinutes} min after the faults ended at the latest`],
    ['lost with Redis', `${formatCount(excused)} recorded nowhere else`],
  ]
  return [
    columns(['a run of', 'simulated sales'], facts),
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
    'every invariant held',
  ].join('\n')
}

/** Returns the violations of a sale, its last steps, and the command that repeats it. */
function failureReport(sale: SimulatedSale, { seed, simulated }: SimulationRun): string {
  const { number, kind, shards, variants, option, violations, lines } = sale
  const flags = `${shards > 1 ? ' --split' : ''}${variants > 0 && option === undefined ? ' --variants' : ''}${option === undefined ? '' : ` --${option}`}`
  return [
    `An invariant was broken in sale ${number} of seed ${seed}, after ${counted(simulated - 1, 'sale')} in which all held:`,
    ...violations.map((violation) => `  ${violation}`),
    '',
    `the last steps up to the first violation`,
    ...stepsBefore(lines),
    '',
    `again: npm run faults -- --seed ${seed} --kind ${kind}${flags} --only ${number}`,
  ].join('\n')
}

/** Returns the last steps up to the first violation in the trace. */
function stepsBefore(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => /^ *[\d.]+ {2}! /.test(line))
  const end = first === -1 ? lines.length : first + 1
  return lines.slice(Math.max(0, end - lastLines), end)
}

function byKind({ faults }: FaultCounts): string[][] {
  const kinds = new Map<string, number>()
  for (const counts of faults.values()) {
    for (const [kind, count] of counts) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  }
  return [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => [kind, formatCount(count)])
}

function byOperation({ steps, faults }: FaultCounts): string[][] {
  return [...new Set([...steps.keys(), ...faults.keys()])].sort().map((operation) => {
    const counts = [...(faults.get(operation) ?? [])].filter(([kind]) => kind !== 'overtaken')
    const kinds = counts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`)
    const taken = steps.get(operation)
    return [operation, taken === undefined ? '' : formatCount(taken), kinds.join(', ')]
  })
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
