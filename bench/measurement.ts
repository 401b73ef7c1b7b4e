/** What every measurement hands back, so that one place prints them all. */
import { columns } from '../cli/sale/print.ts'

/** `target` and `met` are there where the value must reach something. Ratios come first in `lines`. */
export type MeasuredLine = { what: string; value: string | string[]; target?: string; met?: boolean }

/** `heads` name the values of a line that has several. */
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

/** Numbers of one column are compared, so their last digits stand under each other. */
function rightUnder(heads: string[], values: string[]): string[] {
  return heads.map((head, i) => (values[i] ?? '').padStart(head.length))
}

/** True when no line missed its target. */
export function allMet(measurements: Measurement[]): boolean {
  return measurements.every(({ lines }) => lines.every(({ met }) => met !== false))
}
