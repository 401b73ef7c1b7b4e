/**
 * Measures the size and the cold import of each deployed bundle. At the start of a sale the cloud starts many instances
 * at once, and the first shopper of each waits for the import. `bench -- million` measures the time of a refusal.
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import {
  bundleLimitsBytes,
  dist,
  edgeBundleLimitBytes,
  functionEntries,
  stripePart,
  viewerFunctionLimitBytes,
} from '../../build.ts'
import { elementsFile, elementsLimitBytes } from '../../static/build.ts'
import { environmentAt } from './edge/environment.ts'
import { atMost, type MeasuredLine, type Measurement, playRounds } from './harness.ts'
import { formatCount, median } from './statistics.ts'

/** Lambda@Edge has the lower limit, because it starts instances in many regions. */
const [limitEdgeImportMs, limitImportMs] = [60, 150]
const clientLimitBytes = 5000

/** `file` is loaded first; it loads `extraFile` when the environment says so. */
type Bundle = {
  name: string
  file: string
  extraFile?: string
  environment: Record<string, string>
  limitBytes?: number | undefined
  limitMs: number
}

/** Measures all bundles; `dist/` must be built. */
export async function measureEdge(): Promise<Measurement> {
  // Functions of Lambda@Edge have no environment variables.
  const file = 'edge/handler.mjs'
  const gate = { name: 'edge', file, environment: {}, limitBytes: edgeBundleLimitBytes, limitMs: limitEdgeImportMs }
  const bundles: Bundle[] = [gate, ...Object.keys(await functionEntries()).flatMap(bundlesOf)]
  const sizes = await playRounds(bundles, { rounds: 1, warmUps: 0, step: 'bundles' }, measureBundle)
  const { size } = await stat(join(dist, 'edge/pre-gate.js'))
  return {
    name: 'edge',
    lines: [
      bytesAtMost('pre-gate.js, bytes', size, viewerFunctionLimitBytes),
      ...[...sizes.values()].flat(2),
      scriptSize('elements', await readFile(join(dist, 'site', elementsFile)), elementsLimitBytes),
      await clientSize(),
    ],
  }
}

/**
 * Returns the bundles of a function: one for each payment provider when it calls one. Nothing listens at port 9 (RFC
 * 863, discard).
 */
function bundlesOf(name: string): Bundle[] {
  const file = `functions/${name}/handler.mjs`
  const environment = environmentAt('http://127.0.0.1:9')
  const bundle = { name, file, environment, limitBytes: bundleLimitsBytes[file], limitMs: limitImportMs }
  const extraFile = `functions/${name}/${stripePart}.mjs`
  if (!existsSync(join(dist, extraFile))) return [bundle]
  return [
    bundle,
    { ...bundle, name: `${name}, Stripe`, extraFile, environment: { ...environment, PAYMENT_PROVIDER: 'stripe' } },
  ]
}

async function measureBundle({
  name,
  file,
  extraFile,
  environment,
  limitBytes,
  limitMs,
}: Bundle): Promise<MeasuredLine[]> {
  const files = extraFile === undefined ? [file] : [file, extraFile]
  const sizes = await Promise.all(files.map((part) => stat(join(dist, part))))
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
  const { importMs, processorMs } = await timeColdImport(join(dist, file), environment)
  const value = `${importMs.toFixed(1)} (${processorMs.toFixed(1)} of a processor)`
  return [
    bytesAtMost(`${name}, minified bytes`, bytes, limitBytes),
    atMost(`${name}, cold import, ms`, importMs, limitMs, { value }),
  ]
}

/** Measures the client as a bundler would include it in a program. */
async function clientSize(): Promise<MeasuredLine> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(dist, '../client/client.ts')], bundle: true, minify: true },
    ...{ format: 'esm', write: false },
  })
  return scriptSize('client', outputFiles[0]?.contents ?? new Uint8Array(), clientLimitBytes)
}

function scriptSize(what: string, script: Uint8Array, limitBytes: number): MeasuredLine {
  return bytesAtMost(`${what}, bytes with gzip`, gzipSync(script, { level: 9 }).length, limitBytes)
}

function bytesAtMost(what: string, bytes: number, limit: number | undefined): MeasuredLine {
  const value = formatCount(bytes)
  return limit === undefined ? { what, value } : atMost(what, bytes, limit, { value, target: formatCount(limit) })
}

const pairs = 15
const emptyModule = fileURLToPath(new URL('edge/empty.mjs', import.meta.url))

const run = promisify(execFile)

/**
 * The time that a bundle adds to a new process: medians over pairs of a process that loads it and one that loads an
 * empty module. `importMs` is wall time; other load on the machine affects `processorMs` less.
 */
type ColdImport = { importMs: number; processorMs: number }

/**
 * Loads `file` in new processes whose whole environment is `environment`. The process that loads the empty module has
 * none.
 */
async function timeColdImport(file: string, environment: Record<string, string>): Promise<ColdImport> {
  const times = await playRounds([emptyModule, file], { rounds: pairs }, (one) =>
    timeProcess(one, one === emptyModule ? {} : environment),
  )
  const [bare = [], loaded = []] = times.values()
  const more = (which: keyof ProcessTime) =>
    median(loaded.map((one, pair) => one[which] - (bare[pair]?.[which] ?? Number.NaN)))
  return { importMs: more('wholeMs'), processorMs: more('processorMs') }
}

type ProcessTime = { wholeMs: number; processorMs: number }

/** A module loaded before the file: it prints the processor time of the process in µs at exit. */
const report = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stdout.write('\\nprocessor ' + (user + system))
})`
const reporting = ['--import', `data:text/javascript,${encodeURIComponent(report)}`]

async function timeProcess(file: string, env: Record<string, string>): Promise<ProcessTime> {
  const startedAt = performance.now()
  // The environment is not inherited: NODE_COMPILE_CACHE would make the import a warm one.
  const { stdout } = await run(process.execPath, [...reporting, file], { env })
  const wholeMs = performance.now() - startedAt
  const us = /^processor (\d+)$/m.exec(stdout)?.[1]
  if (us === undefined) throw new Error(`${file} ended without its processor time: ${stdout.slice(0, 200)}`)
  return { wholeMs, processorMs: Number(us) / 1000 }
}
