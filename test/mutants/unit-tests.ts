/** Runs unit tests over changed sources, in one long-living Vitest whose test process is new for each run. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from 'vitest/node'

const root = path.join(import.meta.dirname, '../..')

/** Tests of these folders need no whole system. */
const include = ['{test,options/*/test}/{core,edge,redis,contract,functions,templates,web,static,console}/**/*.test.ts']

/** A run that takes longer is ended: an endless loop. */
const maxRunMs = 120_000

/** Some tests of a file, or all of them. */
export type TestsOfFile = { file: string; testIds?: string[] }

export type Run = { modules: readonly TestModule[]; errors: readonly unknown[]; isTimedOut: boolean }

class AsGiven extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications
  }
}

export type UnitTests = Awaited<ReturnType<typeof openUnitTests>>

export async function openUnitTests() {
  let changed: ReadonlyMap<string, string> = new Map()

  const sources = {
    name: 'changed-sources',
    enforce: 'pre' as const,
    load(id: string) {
      const [file = id] = id.split('?')
      const text = changed.get(path.relative(root, file))
      if (!file.endsWith('.lua')) return text
      return `export default ${JSON.stringify(text ?? readFileSync(file, 'utf8'))}`
    },
  }
  const vitest = await createVitest(
    'test',
    {
      ...{ root, include, config: false, watch: false, isolate: false, maxWorkers: 1 },
      // A module on disk would hide its mutants.
      fsModuleCache: false,
      globalSetup: ['test/build-once.ts'],
      setupFiles: ['test/restore-process.ts', 'test/mutants/reach.ts'],
      sequence: { sequencer: AsGiven },
      reporters: [{}],
      ...{ testTimeout: 30_000, hookTimeout: 30_000, maxConcurrency: 3 },
      expect: { poll: { timeout: 20_000 } },
    },
    { plugins: [sources], oxc: { jsx: { importSource: 'preact' } } },
  )
  const all = await vitest.globTestSpecifications()
  const files = all.map(({ moduleId }) => path.relative(root, moduleId))
  const project = vitest.getRootProject()

  function change(to: ReadonlyMap<string, string>): void {
    for (const file of [...changed.keys(), ...to.keys()]) vitest.invalidateFile(path.join(root, file))
    changed = to
  }

  /** Runs tests one file after another over `sources`, by file; with `bail` up to the first failure. */
  async function run(tests: readonly TestsOfFile[], sources: ReadonlyMap<string, string>, bail: boolean): Promise<Run> {
    change(sources)
    project.config.bail = bail ? 1 : 0
    const specifications = tests.map(({ file, testIds }) =>
      project.createSpecification(path.join(root, file), testIds && { testIds }),
    )
    let isTimedOut = false
    const end = setTimeout(
      async () => {
        isTimedOut = true
        // The second call ends a process that does not answer the first.
        await Promise.all([vitest.cancelCurrentRun('test-failure'), vitest.cancelCurrentRun('test-failure')])
      },
      bail ? maxRunMs : 3_600_000,
    )
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    clearTimeout(end)
    const asked = new Set(specifications.map(({ moduleId }) => moduleId))
    const modules = testModules.filter(({ moduleId }) => asked.has(moduleId))
    return { modules, errors: unhandledErrors, isTimedOut }
  }

  return { files, run, close: () => vitest.close() }
}
