/** `npm run check -- rules-report`: every rule, the tests that prove it, and how many problem codes of the API they saw answered. */

import { answeredProblems, checkAnswers } from './http-api.ts'
import { checkRules, citations, rulesOn } from './rules.ts'
import { printed, repository } from './tree.ts'

const rules = rulesOn(repository.text('docs/reference/rules.md'))
const cited = citations(repository)
for (const { id, state } of rules) {
  const tests = cited.filter((one) => one.id === id)
  const proofs = tests.filter(({ ofProduct }) => ofProduct).length
  const others = tests.length - proofs
  console.log(`${id.padEnd(4)} ${state.padEnd(14)} ${proofs} in npm test${others > 0 ? `, ${others} elsewhere` : ''}`)
  for (const { file, line, says } of tests) console.log(`       ${`${file}:${line}`.padEnd(44)} ${says.slice(0, 100)}`)
}
const built = rules.filter(({ state }) => state === 'built').length
console.log(`\n${built} of ${rules.length} rules built`)
const { described, seen } = answeredProblems(repository)
console.log(`${seen.length} of ${described.length} problem codes of operations answered in npm test`)
const findings = [...checkRules(repository), ...checkAnswers(repository)]
for (const finding of findings) console.error(printed(finding))
process.exitCode = findings.length === 0 ? 0 : 1
