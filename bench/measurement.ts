/** What every measurement hands back, so that one place prints them all. */
import { columns } from '../local/sale/print.ts'

/** `target` and `met` are there where the value must reach something. Ratios come first in `lines`. */
export type MeasuredLine = { what: string; value: string; target?: string; met?: boolean }
export type Measurement = { name: string; lines: MeasuredLine[] }

export function measurementLines({ name, lines }: Measurement): string {
  const rows = lines.map(({ what, value, target, met }) => [
    what,
    value,
    target ?? '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ])
  return columns([name, 'measured', 'target', ''], rows)
}

/** True when no line missed its target. */
export function allMet(measurements: Measurement[]): boolean {
  return measurements.every(({ lines }) => lines.every(({ met }) => met !== false))
}
