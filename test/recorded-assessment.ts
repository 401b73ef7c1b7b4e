/**
 * Writes what the tour over the pages found to the accessibility statement, `templates/pages/assessment.json`. A run with
 * `--record-assessment` writes it; in any other run the tour fails for a part that the file lacks (`test/browser/tour/`).
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import assessment from '../templates/pages/assessment.json' with { type: 'json' }
import { linesOf } from './recorded-calls.ts'

/** The environment variable with the folder of a run that records. */
export const assessmentVariable = 'SLUICE_ASSESSMENT'

const file = 'parts'

/** A part of the tour: in how many states it was looked at, and the faults that were found in them. */
type Part = { name: string; states: number; faults: number }

/** The states of the part that the statement knows; a run that records notes the part first. */
export function assessedStates(part: Part): number | undefined {
  const folder = process.env[assessmentVariable]
  const known: Readonly<Record<string, number>> = assessment.states
  if (folder === undefined) return known[part.name]
  appendFileSync(join(folder, file), `${JSON.stringify(part)}\n`)
  return part.states
}

/** Keeps what a run noted. `day` is its date, `YYYY-MM-DD`. */
export function keepAssessment(folder: string, day: string): void {
  const parts = linesOf(join(folder, file)).map((line) => JSON.parse(line) as Part)
  const states = parts.map(({ name, states }) => [name, states] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const kept = {
    ...{ day, axe: installedAxe() },
    faults: parts.reduce((sum, { faults }) => sum + faults, 0),
    states: Object.fromEntries(states),
  }
  const path = fileURLToPath(new URL('../templates/pages/assessment.json', import.meta.url))
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`)
}

/** The version of the checks that are installed. */
export function installedAxe(): string {
  return (createRequire(import.meta.url)('axe-core/package.json') as { version: string }).version
}
