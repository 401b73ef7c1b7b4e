/** The lines that `bench -- million` prints. */
import { type LosingTime, losingTimeText } from '../losing-time.ts'
import type { Measurement } from '../measurement.ts'
import type { Verdict } from '../rush/verdict.ts'

/** The targets of the design: cost follows the stock, not the number of shoppers. */
const targets = { gateCommands: 0.001, allCommands: 0.01, functionCallsPerUnit: 1.3 }

/**
 * `gateCommands`: by kind, a script is one. `redisByCommand`: of the whole system, by Redis's own
 * statistics, those inside scripts included.
 */
export type MillionResult = {
  verdict: Verdict
  stock: number
  gates: number
  losing: number
  seconds: number
  virtualSeconds: number
  answers: ReadonlyMap<string, number>
  functionCalls: number
  gateCommands: ReadonlyMap<string, number>
  redisByCommand: ReadonlyMap<string, number>
  time: LosingTime
}

export function millionReport(result: MillionResult): Measurement {
  const { verdict, stock, gates, losing, seconds, virtualSeconds, answers, functionCalls } = result
  const { sold, oversold, violations } = verdict
  const ofGates = sum(result.gateCommands)
  const perUnit = functionCalls / stock
  const unavailable = answers.get('unavailable') ?? 0
  return {
    name: 'million',
    lines: [
      atMost('Redis commands of the gates ÷ losing requests', ofGates / losing, targets.gateCommands),
      atMost(
        'all Redis commands, those of winners and inside scripts included ÷ losing requests',
        sum(result.redisByCommand) / losing,
        targets.allCommands,
      ),
      {
        what: 'calls of reserve ÷ units of stock',
        value: perUnit.toFixed(3),
        target: `≤ ${targets.functionCallsPerUnit}`,
        met: perUnit <= targets.functionCallsPerUnit,
      },
      { what: 'oversold', value: `${oversold}`, target: '0', met: oversold === 0 },
      { what: 'sold', value: `${sold} of ${stock}`, target: `${stock}`, met: sold === stock },
      {
        what: 'invariants broken',
        value: violations.join('; ') || 'none',
        target: 'none',
        met: violations.length === 0,
      },
      {
        what: 'answers `unavailable`, although nothing has failed',
        value: `${unavailable}`,
        target: '0',
        met: unavailable === 0,
      },
      {
        what: 'losing requests',
        value: `${losing} over ${gates} instances in ${virtualSeconds} virtual seconds`,
      },
      {
        what: 'Redis commands of an instance in a virtual second',
        value: (ofGates / gates / virtualSeconds).toFixed(3),
      },
      { what: 'Redis commands of the gates, by kind', value: counted(result.gateCommands) },
      { what: 'all Redis commands, by name', value: counted(result.redisByCommand) },
      { what: 'processor time per losing request', value: losingTimeText(result.time) },
      { what: 'calls of reserve', value: `${functionCalls}` },
      { what: 'answers/s', value: `${Math.round((losing + sold) / seconds)}` },
      { what: 'answers', value: counted(answers) },
    ],
  }
}

function atMost(what: string, value: number, limit: number) {
  return { what, value: value.toFixed(5), target: `≤ ${limit}`, met: value <= limit }
}

const sum = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((total, count) => total + count, 0)

/** The most frequent first. */
function counted(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a)
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ')
}
