/**
 * Records which problem codes of the API description a run of the tests has answered. `npm run check` compares the
 * kept file with the description. A line is `<operation> <code>`.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { problemsIn } from '../static/api/calls.ts'
import { describeApi } from '../static/api/openapi.ts'
import { linesOf } from './recorded-calls.ts'

const keptFile = fileURLToPath(new URL('./answers.txt', import.meta.url))

const linesIn = (folder: string, start: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .flatMap((name) => linesOf(join(folder, name)))

/** Returns the requests and answers at the front of a shop that are not as the API is described. */
export const faultsIn = (folder: string): string[] => [...new Set(linesIn(folder, 'faults-'))]

/** The kept problem codes that the run did not see. With `adds` those that it saw, and are described, are kept first. */
export function compareAnswers(folder: string, { adds }: { adds: boolean }): { unseen: string[] } {
  const seen = new Set(linesIn(folder, 'answers-'))
  const kept = linesOf(keptFile)
  if (adds) {
    const described = problemsIn(describeApi('test')).filter((one) => seen.has(one) || kept.includes(one))
    writeFileSync(keptFile, `${described.toSorted().join('\n')}\n`)
  }
  return { unseen: kept.filter((line) => !seen.has(line)) }
}
