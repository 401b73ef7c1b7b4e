/** What a bundle of the edge weighs, by the source of its parts, and how long a new instance takes to load it. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { edgeBundle } from '../../../build.ts'
import { inTurns } from '../harness.ts'
import { median } from '../statistics.ts'

export type EdgeWeight = Weight & {
  /** Bytes by library, `own` for the project's files, the largest first. */
  parts: readonly [name: string, bytes: number][]
  /** Source files with code in the bundle, relative to the project's root. */
  files: readonly string[]
  /** Bytes of each of these files. */
  fileBytes: Readonly<Record<string, number>>
}

const library = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** Builds with the settings of `npm run build`, without writing files. */
export async function weighBundle(): Promise<EdgeWeight> {
  const { outputFiles, metafile } = await build({ ...edgeBundle, outfile: 'handler.mjs', write: false, metafile: true })
  const code = outputFiles.find(({ path }) => path.endsWith('.mjs'))
  const output = metafile.outputs['handler.mjs']
  if (code === undefined || output === undefined) throw new Error('the build made no handler.mjs')
  const parts = new Map<string, number>()
  const shipped = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  for (const [file, { bytesInOutput }] of shipped) {
    const part = library.exec(file)?.[1] ?? 'own'
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput)
  }
  return {
    ...weightOf(code.contents),
    parts: [...parts].sort(([, a], [, b]) => b - a),
    files: shipped.map(([file]) => file),
    fileBytes: Object.fromEntries(shipped.map(([file, { bytesInOutput }]) => [file, bytesInOutput])),
  }
}

/** The size of a bundle, plain and compressed. */
export type Weight = { bytes: number; gzipBytes: number }

export function weightOf(code: Uint8Array): Weight {
  return { bytes: code.length, gzipBytes: gzipSync(code, { level: 9 }).length }
}

const pairs = 15
const nothing = fileURLToPath(new URL('nothing.mjs', import.meta.url))

const run = promisify(execFile)

/**
 * The time a new instance takes to load a bundle: fresh processes, each paired with one that loads an empty module.
 * What the file adds to a process, in ms, as medians over the pairs: to its time from start to end, and to its
 * processor time, which other work on the machine changes less.
 */
export type ColdImport = { importMs: number; processorMs: number }

/**
 * Loads `file` in a process with exactly `environment`; the process that loads nothing gets none.
 */
export async function timeColdImport(file: string, environment: Record<string, string>): Promise<ColdImport> {
  const times = await inTurns([nothing, file], { rounds: pairs }, (one) =>
    timeProcess(one, one === nothing ? {} : environment),
  )
  const [bare = [], loaded = []] = times.values()
  const more = (which: keyof ProcessTime) =>
    median(loaded.map((one, pair) => one[which] - (bare[pair]?.[which] ?? Number.NaN)))
  return { importMs: more('wholeMs'), processorMs: more('processorMs') }
}

type ProcessTime = { wholeMs: number; processorMs: number }

/** Loaded before the file, this prints the processor time of the process at its end, µs. */
const report = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stdout.write('\\nprocessor ' + (user + system))
})`
const reporting = ['--import', `data:text/javascript,${encodeURIComponent(report)}`]

async function timeProcess(file: string, env: Record<string, string>): Promise<ProcessTime> {
  const startedAt = performance.now()
  // Nothing is inherited: code cached by NODE_COMPILE_CACHE would make the import a warm one.
  const { stdout } = await run(process.execPath, [...reporting, file], { env })
  const wholeMs = performance.now() - startedAt
  const us = /^processor (\d+)$/m.exec(stdout)?.[1]
  if (us === undefined) throw new Error(`${file} ended without its processor time: ${stdout.slice(0, 200)}`)
  return { wholeMs, processorMs: Number(us) / 1000 }
}
