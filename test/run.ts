/**
 * `npm test`, and with `--soak` the long plays of `npm run test:soak`. Ends with one plain line,
 * `N passed, N failed`, for people and for CI. Exits 1 when a test failed, an error escaped, a test
 * was skipped, or nothing ran: a missing part must show as a failure.
 */
import { startVitest, type TestModule } from 'vitest/node'

const [first, ...rest] = process.argv.slice(2)
const isSoak = first === '--soak'
const files = isSoak ? rest : process.argv.slice(2)
const project = isSoak ? ['soak'] : ['units', 'visits', 'systems']
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
const failed = counts.failed + counts.pending + counts.skipped + brokenFiles
const escaped = vitest.state.getUnhandledErrors().length
if (counts.skipped > 0) console.error(`${counts.skipped} skipped tests count as failed`)
if (escaped > 0) console.error(`${escaped} errors escaped from the tests`)
console.log(`${counts.passed} passed, ${failed + escaped} failed`)
process.exitCode = failed + escaped > 0 || counts.passed === 0 ? 1 : 0
