/**
 * `npm run check:options`: the engine without each option and without all of them, or without those that are named. In a
 * copy of the tree that lacks their folders it writes the registry, checks the types, builds, synthesizes, and runs the
 * units of the engine and a journey. `--drawn <seed>`: without one that follows from the seed. And the engine with one more,
 * or with `--added` that alone: `test/greeting/` has a call, a field, a line of the page, a panel, a command and its words.
 * Nothing else may change in a copy that has it, and it may have eight files beside those of its words.
 */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { optionNames } from '../options/write-registry.ts'

const root = path.join(import.meta.dirname, '..')

/**
 * Two files read where the packages of bundles are, which the copy has not as its own; two prove the figures of the
 * guides, which count every option.
 */
function unitsOfEngine(): string[] {
  const apart = ['build', 'edge/bundle', 'cli/preflight', 'cli/preflight/command'].map((name) => `test/${name}.test.ts`)
  return globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !apart.includes(file))
}

/** The most files of one more option. */
const maxFiles = 8

type Step = readonly [string, ...string[]]

const building: readonly Step[] = [
  ['node', 'options/write-registry.ts'],
  ['tsc'],
  ['tsc', '-p', 'static'],
  ['node', 'build.ts'],
]
const steps: readonly Step[] = [
  ...building,
  ['cdk', 'synth', '--quiet'],
  ['vitest', 'run', '--project', 'units', ...unitsOfEngine()],
  ['vitest', 'run', '--project', 'visits', 'test/journey/one-sale.test.ts'],
]

const { values, positionals } = parseArgs({
  options: { drawn: { type: 'string' }, added: { type: 'boolean' } },
  allowPositionals: true,
})
const all = optionNames()
const asked = values.drawn === undefined ? positionals : [drawnBy(values.drawn)]
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) throw new Error(`options/ has no ${unknown.join(', ')}; it has ${all.join(', ')}`)
const removals = asked.length > 0 ? asked.map((name) => [name]) : [...all.map((name) => [name]), all]
const plays: (() => Promise<boolean>)[] =
  values.added === true ? [] : removals.map((removed) => () => sellsWithout(removed))
if (asked.length === 0) plays.push(takesGreeting)

let failures = 0
for (const play of plays) failures += (await play()) ? 0 : 1
console.log(`${plays.length - failures} passed, ${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1

function drawnBy(seed: string): string {
  const number = createHash('sha256').update(seed).digest().readUInt32BE()
  return all[number % all.length] ?? ''
}

/** Whether all steps pass without the options in `removed`. */
function sellsWithout(removed: readonly string[]): Promise<boolean> {
  return inCopy(removed, (copy) => passes(`without ${removed.join(', ')}`, copy, steps))
}

/** Whether an option is built that has few files, and no file changes but those of the registry. */
function takesGreeting(): Promise<boolean> {
  return inCopy([], async (copy, files) => {
    const added = path.join(root, 'test/greeting')
    cpSync(added, path.join(copy, 'options/greeting'), { recursive: true })
    if (!(await passes('with greeting', copy, building))) return false
    const own = readdirSync(added, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const words = own.filter(({ parentPath }) => path.basename(parentPath) === 'words').length
    const textAt = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8')
    const changed = files.filter(
      (file) => !file.startsWith('options/registry/') && textAt(root, file) !== textAt(copy, file),
    )
    console.log(`greeting: ${own.length - words} files and ${words} of words; ${changed.length} others changed`)
    if (changed.length > 0) console.error(changed.join('\n'))
    return own.length - words <= maxFiles && changed.length === 0
  })
}

/** Runs `play` in a copy of the tree without the options in `removed`; `files` are those of the copy. */
async function inCopy(
  removed: readonly string[],
  play: (copy: string, files: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  const copy = mkdtempSync(path.join(tmpdir(), 'sluice-options-'))
  try {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
    const files = String(listed)
      .split('\n')
      .filter((file) => file !== '' && !removed.some((name) => file.startsWith(`options/${name}/`)))
    for (const file of files) cpSync(path.join(root, file), path.join(copy, file))
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
    return await play(copy, files)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Runs the steps in `copy` until one fails; says which does, and how long each took. */
async function passes(what: string, copy: string, all: readonly Step[]): Promise<boolean> {
  const env = { ...process.env, PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}` }
  for (const [program, ...args] of all) {
    const startedAt = performance.now()
    const failed = await promisify(execFile)(program, args, { cwd: copy, env, maxBuffer: 2 ** 28 }).then(
      () => undefined,
      (failure) => failure as { stdout: string; stderr: string },
    )
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const step = `${what}: ${[program, ...args.slice(0, 3)].join(' ')}`
    console.log(`${failed === undefined ? 'ok    ' : 'FAILED'} ${step} (${seconds} s)`)
    if (failed !== undefined) console.error(`${failed.stdout}${failed.stderr}`)
    if (failed !== undefined) return false
  }
  return true
}
