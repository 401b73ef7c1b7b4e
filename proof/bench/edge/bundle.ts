/** Measures the size of a bundle and the time that a new instance takes to load it. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { playRounds } from '../harness.ts'
import { median } from '../statistics.ts'

export type CodeSize = { bytes: number; gzipBytes: number }

export function sizeOfCode(code: Uint8Array): CodeSize {
  return { bytes: code.length, gzipBytes: gzipSync(code, { level: 9 }).length }
}

const pairs = 15
const emptyModule = fileURLToPath(new URL('empty.mjs', import.meta.url))

const run = promisify(execFile)

/**
 * The time that a bundle adds to a new process: medians over pairs of a process that loads it and one that loads an
 * empty module. `importMs` is wall time; other load on the machine affects `processorMs` less.
 */
export type ColdImport = { importMs: number; processorMs: number }

/**
 * Loads `file` in new processes whose whole environment is `environment`. The process that loads the empty module has
 * none.
 */
export async function timeColdImport(file: string, environment: Record<string, string>): Promise<ColdImport> {
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
