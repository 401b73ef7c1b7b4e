/** What a bundle weighs, and how long a new instance takes to load it. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { inTurns } from '../harness.ts'
import { median } from '../statistics.ts'

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
