/** The result of every measurement, in one form so that one function prints them all. */
import { columns } from '../../cli/sale/print.ts'

/** `target` and `met` are set where the value has a target. Ratios come first in `lines`. */
export type MeasuredLine = { what: string; value: string | string[]; target?: string; met?: boolean }

/** `heads` names the values of a line that has several. */
export type Measurement = { name: string; heads?: string[]; lines: MeasuredLine[] }

export function measurementLines({ name, heads, lines }: Measurement): string {
  const rows = lines.map(({ what, value, target, met }) => [
    what,
    ...(heads === undefined ? [value].flat() : rightUnder(heads, [value].flat())),
    target ?? '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ])
  return columns([name, ...(heads ?? ['measured']), 'target', ''], rows)
}

/** Right-aligns numbers of a column for comparison. */
function rightUnder(heads: string[], values: string[]): string[] {
  return heads.map((head, i) => (values[i] ?? '').padStart(head.length))
}

/** True when every target was met. */
export function allMet(measurements: Measurement[]): boolean {
  return measurements.every(({ lines }) => lines.every(({ met }) => met !== false))
}
