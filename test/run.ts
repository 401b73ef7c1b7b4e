/**
 * `npm test`, `npm run test:all`, `npm run test:soak` and `npm test -- --examples`, each with the files or folders to run, if
 * not all. Ends with one plain line, `N passed, N failed`, for people and for CI. Exits 1 when a test failed, an error escaped,
 * a test was skipped, or nothing ran: a missing part must show as a failure. It also fails when what crossed the front of a
 * shop was not as the API is described, and a run of all tests when one of the problem codes of `test/answers.txt` was not
 * answered. `test:all` and `test:soak` also fail when a function called AWS as it never did before; `--record-calls` keeps such
 * calls, `--record-answers` new problem codes, and `--record-assessment` what the tour over the pages found. However it ends,
 * it leaves no process running.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest, type TestModule } from 'vitest/node'
import { wrapperVariable } from '../local/process/lambda-host.ts'
import { compileCache } from '../local/process/rpc.ts'
import { answersVariable } from '../proof/described-api.ts'
import { endProcessesAfterRun } from './processes-of-run.ts'
import { compareAnswers, faultsIn } from './recorded-answers.ts'
import { assessmentVariable, keepAssessment } from './recorded-assessment.ts'
import { compareRecorded, keptFile } from './recorded-calls.ts'
import { recordVariable } from './recording-functions.ts'
import { sampleOf } from './sample.ts'
import { soak } from './tiers.ts'

const { values: flags, positionals } = parseArgs({
  options: {
    ...{ all: { type: 'boolean' }, soak: { type: 'boolean' }, examples: { type: 'boolean' } },
    sample: { type: 'string' },
    ...{ 'record-calls': { type: 'boolean' }, 'record-answers': { type: 'boolean' } },
    'record-assessment': { type: 'boolean' },
  },
  allowPositionals: true,
})

enableCompileCache(compileCache)
// Workers, and the programs that tests start, load the same modules in each run.
process.env.NODE_COMPILE_CACHE = compileCache
endProcessesAfterRun()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    console.error(`\nStopped by ${signal}; the rest of the tests did not run.`)
    process.exit(128 + constants.signals[signal])
  })
}

// With `--sample <seed>`, that of CI: the seed is the commit, so that all files have their turn.
const files = flags.sample === undefined ? positionals : sampleOf(globSync(soak), flags.sample)
if (flags.sample !== undefined) console.log(`a sample by the seed ${flags.sample}:\n  ${files.join('\n  ')}`)

const product = ['units', 'visits', 'systems']
const areAll = (end: string) => files.length > 0 && files.every((file) => file.endsWith(end))
const isSoak = flags.soak === true || areAll('.soak.ts')
const isExamples = flags.examples === true || areAll('.example.ts')
// A file that is named is run whichever part it belongs to.
const withAll = flags.all === true || files.length > 0
const tests = [...product, ...(withAll ? ['tools', 'pages'] : [])]
const project = isExamples ? ['examples'] : isSoak ? ['soak', 'alone'] : tests
// `test/contract/cloud.ts`, which makes the tables, says what is left to `test:all`.
if (!withAll && !isSoak && !isExamples) process.env.SLUICE_TABLES = 'memory'
const recorded = mkdtempSync(join(tmpdir(), 'sluice-calls-'))
// The systems that tests start inherit the variable. To record takes time, so `npm test` does not.
if (flags.all || flags.soak || flags['record-calls']) {
  process.env[recordVariable] = recorded
  process.env[wrapperVariable] = import.meta.resolve('./recording-functions.ts')
}
const answers = mkdtempSync(join(tmpdir(), 'sluice-answers-'))
process.env[answersVariable] = answers
const assessed = mkdtempSync(join(tmpdir(), 'sluice-assessment-'))
if (flags['record-assessment']) process.env[assessmentVariable] = assessed
process.on('exit', () => {
  for (const folder of [recorded, answers, assessed]) rmSync(folder, { recursive: true })
})
const vitest = await startVitest('test', files, { watch: false, project })
const modules = vitest.state.getTestModules()
await vitest.close()

const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
const count = (module: TestModule) => {
  for (const test of module.children.allTests()) counts[test.result().state] += 1
}
modules.forEach(count)

// A file that cannot be loaded contains no test, but is a failure of its own.
const brokenFiles = modules.filter((module) => module.errors().length > 0).length
const newCalls = compareRecorded(recorded, keptFile, { adds: flags['record-calls'] === true })
const faults = faultsIn(answers)
if (flags['record-assessment']) keepAssessment(assessed, new Date().toISOString().slice(0, 10))
const { unseen } = compareAnswers(answers, { adds: flags['record-answers'] === true })
// A part of the tests sees a part of them.
const missing = flags.all && files.length === 0 ? unseen : []
const failed = [
  ...[counts.failed, counts.pending, counts.skipped, brokenFiles],
  ...[newCalls.length, faults.length, missing.length],
].reduce((sum, one) => sum + one)
const escaped = vitest.state.getUnhandledErrors().length
if (counts.skipped > 0) console.error(`${counts.skipped} skipped tests count as failed`)
if (escaped > 0) console.error(`${escaped} errors escaped from the tests`)
if (newCalls.length > 0) {
  console.error(`calls of AWS that test/infra/calls.txt does not have:\n  ${newCalls.join('\n  ')}`)
  console.error(`If they are meant: npm run test:${isSoak ? 'soak' : 'all'} -- --record-calls, then npm test`)
}
if (faults.length > 0) console.error(`what crossed the front is not as the API is described:\n  ${faults.join('\n  ')}`)
if (missing.length > 0) console.error(`problem codes that no test saw answered:\n  ${missing.join('\n  ')}`)
console.log(`${counts.passed} passed, ${failed + escaped} failed`)
process.exitCode = failed + escaped > 0 || counts.passed === 0 ? 1 : 0
