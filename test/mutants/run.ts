/**
 * A mutation trial: draws planted defects by a seed, applies one at a time and runs the unit tests that reach it, the
 * nearest first. Prints each defect with its outcome, and the share of killed mutants by folder. `npm run mutants --
 * [--seed S] [--count 200] [--only FILE] [--seconds 20]`.
 */
import { parseArgs } from 'node:util'
import { drawMutants, folders, sourceOf } from './draw.ts'
import { describeMutant, type Mutant } from './mutant.ts'
import { findReach, testsFor, tryMutant, type Verdict } from './trial.ts'
import { openUnitTests } from './unit-tests.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: 'sluice' },
    count: { type: 'string', default: '200' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
  },
})
const { seed, only } = values
const count = Number(values.count)
const mutants = drawMutants({ seed, count, only })
console.log(`${mutants.length} mutants, seed ${seed}`)

// `npm test` sets it too.
process.env.SLUICE_TABLES = 'memory'
const unit = await openUnitTests()
const reach = await findReach(unit, mutants)
for (const name of reach.failed) console.log(`fails without a mutant, so it counts for none: ${name}`)

const verdicts: (Verdict & { mutant: Mutant })[] = []
for (const mutant of mutants) {
  const startedAt = performance.now()
  const verdict = await tryMutant(unit, mutant, testsFor(mutant, reach, Number(values.seconds)))
  verdicts.push({ ...verdict, mutant })
  const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  const about = describeMutant(sourceOf(mutant.file), mutant)
  console.log(`${verdict.outcome.padEnd(9)} ${about}  [${took}${verdict.by === undefined ? '' : `, ${verdict.by}`}]`)
}
await unit.close()

console.log('\nfolder      mutants  killed  timed out  survived  unreached  noticed')
const rows: [string, string][] = [...folders.map((one): [string, string] => [one, `${one}/`]), ['all', '']]
for (const [title, start] of rows) {
  const some = verdicts.filter(({ mutant }) => mutant.file.startsWith(start))
  const number = (outcome: Verdict['outcome']) => some.filter((verdict) => verdict.outcome === outcome).length
  const noticed = number('killed') + number('timed out')
  const numbers = [some.length, number('killed'), number('timed out'), number('survived'), number('unreached')]
  const share = `${((100 * noticed) / Math.max(1, some.length)).toFixed(1)} %`
  const widths = [9, 8, 11, 10, 11]
  const cells = numbers.map((value, at) => String(value).padStart(widths[at] ?? 0))
  console.log(`${title.padEnd(10)}${cells.join('')}${share.padStart(9)}`)
}

const isNamedAlive = verdicts.some(({ mutant, outcome }) => mutant.name !== undefined && outcome === 'survived')
// A test that fails has set it. Without a mutant all should pass, or the share says too little.
process.exitCode = isNamedAlive || reach.failed.length > 0 ? 1 : 0
