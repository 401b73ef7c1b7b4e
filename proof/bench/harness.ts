/**
 * What all measurements share: rounds in which everything that is compared has its turn, and results in one form, so
 * that one function prints them all.
 */
import { startStep } from '../../cli/progress.ts'
import { columns } from '../../cli/sale/print.ts'

/**
 * The first `warmUps` rounds, one unless given, are not counted: they connect, and their code is not compiled yet.
 * `isRotated` begins each round with the lane after the one that began the round before. `step` names a progress bar.
 */
export type Rounds = { rounds: number; warmUps?: number; isRotated?: boolean; step?: string }

/**
 * The results of each lane, one for each round. Each round plays every lane, so that other load on the machine
 * affects them alike. Rounds have numbers from 1; warm-ups end with 0.
 */
export async function inTurns<Lane, Result>(
  lanes: readonly Lane[],
  { rounds, warmUps = 1, isRotated = false, step = '' }: Rounds,
  play: (lane: Lane, round: number) => Promise<Result>,
): Promise<Map<Lane, Result[]>> {
  const results = new Map(lanes.map((lane): [Lane, Result[]] => [lane, []]))
  const playAll = async (to: (done: number) => void) => {
    let played = 0
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      const first = isRotated ? (round - 1 + warmUps) % lanes.length : 0
      for (const lane of [...lanes.slice(first), ...lanes.slice(0, first)]) {
        const result = await play(lane, round)
        if (round <= 0) continue
        results.get(lane)?.push(result)
        played += 1
        to(played)
      }
    }
  }
  await (step === '' ? playAll(() => undefined) : withStep(step, rounds * lanes.length, playAll))
  return results
}

/** Shows a progress bar of `length` during `work`. */
async function withStep<T>(
  name: string,
  length: number,
  work: (to: (done: number, label?: string) => void) => Promise<T>,
): Promise<T> {
  const step = startStep(name, length)
  try {
    return await work(step.to)
  } finally {
    step.end()
  }
}

/** `target` and `met` are set where the value has a target. Ratios come first in `lines`. */
export type MeasuredLine = { what: string; value: string | string[]; target?: string; met?: boolean }

/** `heads` names the values of a line that has several. */
export type Measurement = { name: string; heads?: string[]; lines: MeasuredLine[] }

/** How a value is shown: as `value`, or as a number with `digits` decimal places; and the text of its bound. */
type Shown = { digits?: number; value?: string | string[]; target?: string }

/** A line whose value may be `limit` and no more. */
export function atMost(what: string, is: number, limit: number, shown: Shown = {}): MeasuredLine {
  return { ...bounded(what, is, shown, `≤ ${shown.target ?? limit}`), met: is <= limit }
}

/** A line whose value may be `least` and no less. */
export function atLeast(what: string, is: number, least: number, shown: Shown = {}): MeasuredLine {
  return { ...bounded(what, is, shown, `≥ ${shown.target ?? least}`), met: is >= least }
}

/** A line whose value must be that. */
export function exactly(what: string, is: number, should: number, shown: Shown = {}): MeasuredLine {
  return { ...bounded(what, is, shown, `${shown.target ?? should}`), met: is === should }
}

function bounded(what: string, is: number, { digits, value }: Shown, target: string) {
  const number = digits === undefined ? String(is) : is.toFixed(digits)
  return { what, value: value ?? number, target }
}

/** A table, and below it what is longer than the head of its column. */
export function measurementLines({ name, heads, lines }: Measurement): string {
  const isLong = ({ value }: MeasuredLine) =>
    typeof value === 'string' && value.length > (heads?.[0]?.length ?? value.length)
  const rows = lines
    .filter((line) => !isLong(line))
    .map(({ what, value, target, met }) => [
      what,
      ...(heads === undefined ? [value].flat() : rightUnder(heads, [value].flat())),
      target ?? '',
      met === undefined ? '' : met ? 'met' : 'MISSED',
    ])
  const below = lines.filter(isLong).map(({ what, value }) => `${what}: ${value}`)
  return [columns([name, ...(heads ?? ['measured']), 'target', ''], rows), ...below].join('\n')
}

/** Right-aligns numbers of a column for comparison. */
function rightUnder(heads: string[], values: string[]): string[] {
  return heads.map((head, i) => (values[i] ?? '').padStart(head.length))
}

/** True when every target was met. */
export function allMet(measurements: Measurement[]): boolean {
  return measurements.every(({ lines }) => lines.every(({ met }) => met !== false))
}
