/** The description of the API against the recommended rules of a linter, and against what tests saw answered. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { problemsIn } from '../static/api/calls.ts'
import { describeApi } from '../static/api/openapi.ts'
import { type Finding, findingAt } from './finding.ts'
import type { Tree } from './tree.ts'

export async function checkOpenApi(): Promise<Finding[]> {
  const source = JSON.stringify(describeApi('0.0.0'))
  // A browser that signs in is always led on, with 303.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ message, ruleId, location: [at] }) => ({
    ...{ file: 'static/api/openapi.ts', line: 1 },
    what: `${at?.pointer ?? ''} ${message} (${ruleId})`,
  }))
}

/** Kept by `npm test -- --record-answers`; a run of all tests fails for a line that it did not see. */
const answersFile = 'test/answers.txt'

/** The problem codes of operations that are described, and those of them that a test saw answered. */
export function answeredProblems(tree: Tree): { described: string[]; seen: string[] } {
  const kept = new Set(tree.text(answersFile).split('\n').filter(Boolean))
  const described = problemsIn(describeApi('0.0.0'))
  return { described, seen: described.filter((one) => kept.has(one)) }
}

/** Each problem code of each operation was answered in a test, and no other is kept as such. */
export function checkAnswers(tree: Tree): Finding[] {
  const text = tree.text(answersFile)
  const { described, seen } = answeredProblems(tree)
  const [known, answered] = [new Set(described), new Set(seen)]
  return [
    ...described
      .filter((one) => !answered.has(one))
      .map((one) => `no test saw ${one}; test it, or remove it from core/api`),
    ...text
      .split('\n')
      .filter((one) => one !== '' && !known.has(one))
      .map((one) => `${one} is not described; remove the line`),
  ].map((what) => findingAt(answersFile, text, -1, what))
}
