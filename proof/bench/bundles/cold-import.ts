/**
 * The time a new instance takes to load a bundle: fresh processes, each paired with one that loads
 * an empty module.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inTurns } from '../harness.ts'
import { median } from '../statistics.ts'

const pairs = 15
const nothing = fileURLToPath(new URL('nothing.mjs', import.meta.url))

const run = promisify(execFile)

/** Medians over the pairs, in ms: both kinds of process from start to end, and their difference. */
export type ColdImport = { bundleMs: number; nothingMs: number; importMs: number }

/**
 * Loads `file` in a process with exactly `environment`; the process that loads nothing gets none.
 */
export async function timeColdImport(file: string, environment: Record<string, string>): Promise<ColdImport> {
  const times = await inTurns([nothing, file], { rounds: pairs }, (one) =>
    timeProcess(one, one === nothing ? {} : environment),
  )
  const [nothingMs = [], bundleMs = []] = times.values()
  return {
    bundleMs: median(bundleMs),
    nothingMs: median(nothingMs),
    importMs: median(bundleMs.map((ms, pair) => ms - (nothingMs[pair] ?? Number.NaN))),
  }
}

async function timeProcess(file: string, env: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  // Nothing is inherited: code cached by NODE_COMPILE_CACHE would make the import a warm one.
  await run(process.execPath, [file], { env })
  return performance.now() - startedAt
}
