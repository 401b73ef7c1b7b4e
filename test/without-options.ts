/**
 * `npm run check:options`: the engine without each option and without all of them, or without those that are named. In a
 * copy of the tree that lacks their folders it writes the lists, checks the types, builds, synthesizes, and runs the
 * units of the engine and a journey. `--drawn <seed>`: without one that follows from the seed.
 */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { optionNames } from '../options/write-lists.ts'

const root = path.join(import.meta.dirname, '..')

/**
 * Two files read where the packages of bundles are, which the copy has not as its own; two prove the figures of the
 * guides, which count every option.
 */
function unitsOfEngine(): string[] {
  const apart = ['build', 'edge/bundle', 'cli/preflight', 'cli/preflight/command'].map((name) => `test/${name}.test.ts`)
  return globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !apart.includes(file))
}

const steps: readonly (readonly [string, ...string[]])[] = [
  ['node', 'options/write-lists.ts'],
  ['tsc'],
  ['tsc', '-p', 'static'],
  ['node', 'build.ts'],
  ['cdk', 'synth', '--quiet'],
  ['vitest', 'run', '--project', 'units', ...unitsOfEngine()],
  ['vitest', 'run', '--project', 'visits', 'test/journey/one-sale.test.ts'],
]

const { values, positionals } = parseArgs({ options: { drawn: { type: 'string' } }, allowPositionals: true })
const all = optionNames()
const asked = values.drawn === undefined ? positionals : [drawnBy(values.drawn)]
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) throw new Error(`options/ has no ${unknown.join(', ')}; it has ${all.join(', ')}`)
const plays = asked.length > 0 ? asked.map((name) => [name]) : [...all.map((name) => [name]), all]

let failures = 0
for (const removed of plays) failures += (await isWhole(removed)) ? 0 : 1
console.log(`${plays.length - failures} passed, ${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1

function drawnBy(seed: string): string {
  const number = createHash('sha256').update(seed).digest().readUInt32BE()
  return all[number % all.length] ?? ''
}

/** Whether all steps pass without the options in `removed`; says which does not, and how long each took. */
async function isWhole(removed: readonly string[]): Promise<boolean> {
  const copy = mkdtempSync(path.join(tmpdir(), 'sluice-options-'))
  try {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
    for (const file of String(files).split('\n').filter(Boolean)) {
      if (removed.some((name) => file.startsWith(`options/${name}/`))) continue
      cpSync(path.join(root, file), path.join(copy, file))
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
    const env = { ...process.env, PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}` }
    for (const [program, ...args] of steps) {
      const startedAt = performance.now()
      const failed = await promisify(execFile)(program, args, { cwd: copy, env, maxBuffer: 2 ** 28 }).then(
        () => undefined,
        (failure) => failure as { stdout: string; stderr: string },
      )
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      const step = `without ${removed.join(', ')}: ${[program, ...args.slice(0, 3)].join(' ')}`
      console.log(`${failed === undefined ? 'ok    ' : 'FAILED'} ${step} (${seconds} s)`)
      if (failed !== undefined) console.error(`${failed.stdout}${failed.stderr}`)
      if (failed !== undefined) return false
    }
    return true
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
