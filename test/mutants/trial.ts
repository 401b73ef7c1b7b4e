/** Finds the tests that reach each mutant, and tries whether they fail. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { TestCase, TestModule } from 'vitest/node'
import { sourceOf } from './draw.ts'
import { withProbes } from './in-typescript.ts'
import { type Mutant, mutated } from './mutant.ts'
import type { TestsOfFile, UnitTests } from './unit-tests.ts'

/** `unreached`: no test runs the place. */
type Outcome = 'killed' | 'timed out' | 'survived' | 'unreached'

export type Verdict = { outcome: Outcome; by: string | undefined }

/** Facts about a test file from the run without a mutant. */
type Known = {
  file: string
  distances: ReadonlyMap<string, number>
  seconds: number
  /** The tests that passed: id, seconds, and the mutants that they reach. */
  tests: readonly { id: string; seconds: number; reached: ReadonlySet<number> }[]
  /** Mutants that are reached while the file is imported. */
  imported: readonly number[]
}

export type Reach = { files: readonly Known[]; failed: readonly string[] }

const statement = /^(?:import|export)\s+(?!type\b)[^'"`;]*?from\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

const known = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? readImports(file)
  known.set(file, found)
  return found
}

function readImports(file: string): string[] {
  return [...sourceOf(file).matchAll(statement)]
    .map(([, from, on]) => path.posix.join(path.posix.dirname(file), from ?? on ?? ''))
    .filter((one) => /\.(ts|lua)$/.test(one) && existsSync(one))
}

/** Every file that `file` imports, with the number of imports on the shortest way to it. */
function distancesFrom(file: string): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]])
  // A map visits what is added during the visit.
  for (const [at, distance] of distances) {
    for (const next of importsOf(at)) if (!distances.has(next)) distances.set(next, distance + 1)
  }
  return distances
}

const fileOf = ({ moduleId }: TestModule) => path.relative(process.cwd(), moduleId)

/** Runs all tests that import a mutated file once, with probes in place of mutants. */
export async function findReach(unit: UnitTests, mutants: readonly Mutant[]): Promise<Reach> {
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  const probed = [...byFile].map(([file, some]) => [file, withProbes(sourceOf(file), some)] as const)
  const near = unit.files
    .map((file) => ({ file, distances: distancesFrom(file) }))
    .filter(({ distances }) => [...byFile.keys()].some((file) => distances.has(file)))
  const { modules, errors } = await unit.run(near, new Map(probed), false)
  if (errors.length > 0) throw new AggregateError(errors, 'the tests fail without a mutant')
  const found = new Map(modules.map((module) => [fileOf(module), module]))
  const files = near.flatMap(({ file, distances }) => {
    const module = found.get(file)
    return module === undefined ? [] : [{ file, distances, ...knownOf(module) }]
  })
  const failed = modules.flatMap((module) => [
    ...(module.errors().length > 0 ? [fileOf(module)] : []),
    ...[...module.children.allTests('failed')].map(({ fullName }) => `${fileOf(module)} > ${fullName}`),
  ])
  return { files, failed }
}

function knownOf(module: TestModule): Pick<Known, 'seconds' | 'tests' | 'imported'> {
  const tests = [...module.children.allTests('passed')].map((test) => ({
    ...{ id: test.id, seconds: secondsOf(test) },
    reached: new Set(test.meta().reachedMutants),
  }))
  const { duration, collectDuration } = module.diagnostic()
  return { tests, seconds: (duration + collectDuration) / 1000, imported: module.meta().reachedMutants ?? [] }
}

const secondsOf = (test: TestCase) => (test.diagnostic()?.duration ?? 0) / 1000

/**
 * The tests that reach `mutant`, the nearest first, of so many seconds in all. Where no probe can
 * tell, all tests that import its file.
 */
export function testsFor(mutant: Mutant, { files }: Reach, seconds: number): TestsOfFile[] {
  const isSeen = mutant.probe !== undefined && !files.some(({ imported }) => imported.includes(mutant.id))
  const mirror = `test/${mutant.file.replace(/\.\w+$/, '')}.test.ts`
  const chosen: TestsOfFile[] = []
  let left = seconds
  for (const { file, tests, ...known } of byNearness(files, mutant.file, mirror)) {
    if (left <= 0) break
    const reaching = isSeen ? tests.filter(({ reached }) => reached.has(mutant.id)) : tests
    if (reaching.length === 0) continue
    chosen.push({ file, testIds: reaching.map(({ id }) => id) })
    left -= isSeen ? reaching.reduce((sum, test) => sum + test.seconds, 0) : known.seconds
  }
  return chosen
}

function byNearness(files: readonly Known[], mutatedFile: string, mirror: string): readonly Known[] {
  const distanceOf = ({ file, distances }: Known) => (file === mirror ? 0 : distances.get(mutatedFile))
  return files
    .filter((known) => distanceOf(known) !== undefined)
    .toSorted((a, b) => (distanceOf(a) ?? 0) - (distanceOf(b) ?? 0) || a.seconds - b.seconds)
}

/** Whether `tests` notice the mutant; `by` is the first that does. */
export async function tryMutant(unit: UnitTests, mutant: Mutant, tests: readonly TestsOfFile[]): Promise<Verdict> {
  if (tests.length === 0) return { outcome: 'unreached', by: undefined }
  const source = mutated(sourceOf(mutant.file), mutant)
  const { modules, errors, isTimedOut } = await unit.run(tests, new Map([[mutant.file, source]]), true)
  if (isTimedOut) return { outcome: 'timed out', by: undefined }
  const failed = modules.flatMap((module) => [...module.children.allTests('failed')])[0]
  if (failed !== undefined) return { outcome: 'killed', by: `${fileOf(failed.module)} > ${failed.name}` }
  const broken = modules.find((module) => module.errors().length > 0)
  if (broken !== undefined) return { outcome: 'killed', by: fileOf(broken) }
  if (errors.length > 0) return { outcome: 'killed', by: 'an escaped error' }
  const passed = modules.flatMap((module) => [...module.children.allTests('passed')])
  if (passed.length === 0) throw new Error(`no test was run for ${mutant.file}`)
  return { outcome: 'survived', by: undefined }
}
