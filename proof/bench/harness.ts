/**
 * Shared by all measurements: rounds that run everything under comparison, and one format of results, which one
 * function prints.
 */
import { startStep } from '../../cli/progress.ts'
import { columns } from '../../cli/sale/print.ts'

/**
 * The first `warmUps` rounds (default 1) do not count: they open connections and compile code. With `isRotated`, each
 * round starts with the next lane. `step` is the name of a progress bar.
 */
export type Rounds = { rounds: number; warmUps?: number; isRotated?: boolean; step?: string }

/**
 * Returns the results of each lane, one for each round. Each round runs every lane, so that other load on the machine
 * affects them equally. Rounds have numbers from 1; warm-ups end with 0.
 */
export async function playRounds<Lane, Result>(
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

/** `target` and `met` are set when the value has a target. Ratios come first in `lines`. */
export type MeasuredLine = { what: string; value: string | string[]; target?: string; met?: boolean }

/** `headings` names the values of a line that has several. */
export type Measurement = { name: string; headings?: string[]; lines: MeasuredLine[] }

/** How a value is printed: as `value`, or with `digits` decimal places. `target` is the text of its bound. */
type Shown = { digits?: number; value?: string | string[]; target?: string }

/** Returns a line whose target is met up to `limit`. */
export function atMost(what: string, is: number, limit: number, shown: Shown = {}): MeasuredLine {
  return { ...bounded(what, is, shown, `≤ ${shown.target ?? limit}`), met: is <= limit }
}

/** Returns a line whose target is met from `min` on. */
export function atLeast(what: string, is: number, min: number, shown: Shown = {}): MeasuredLine {
  return { ...bounded(what, is, shown, `≥ ${shown.target ?? min}`), met: is >= min }
}

/** Returns a line whose target is met by one value only. */
export function exactly(what: string, is: number, should: number, shown: Shown = {}): MeasuredLine {
  return { ...bounded(what, is, shown, `${shown.target ?? should}`), met: is === should }
}

function bounded(what: string, is: number, { digits, value }: Shown, target: string) {
  const number = digits === undefined ? String(is) : is.toFixed(digits)
  return { what, value: value ?? number, target }
}

/** Prints a table, and below it the lines that are wider than their column. */
export function measurementLines({ name, headings, lines }: Measurement): string {
  const isLong = ({ value }: MeasuredLine) =>
    typeof value === 'string' && value.length > (headings?.[0]?.length ?? value.length)
  const rows = lines
    .filter((line) => !isLong(line))
    .map(({ what, value, target, met }) => [
      what,
      ...(headings === undefined ? [value].flat() : alignUnder(headings, [value].flat())),
      target ?? '',
      met === undefined ? '' : met ? 'met' : 'MISSED',
    ])
  const below = lines.filter(isLong).map(({ what, value }) => `${what}: ${value}`)
  return [columns([name, ...(headings ?? ['measured']), 'target', ''], rows), ...below].join('\n')
}

/** Right-aligns values under their headings. */
function alignUnder(headings: string[], values: string[]): string[] {
  return headings.map((head, i) => (values[i] ?? '').padStart(head.length))
}

/** True when every target was met. */
export function allMet(measurements: Measurement[]): boolean {
  return measurements.every(({ lines }) => lines.every(({ met }) => met !== false))
}
