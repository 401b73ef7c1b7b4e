/**
 * The time a new instance takes to load a bundle: fresh processes, each paired with one that loads
 * an empty module.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from '../statistics.ts'

const pairs = 15
const nothing = fileURLToPath(new URL('nothing.mjs', import.meta.url))

const run = promisify(execFile)

/** Medians over the pairs, in ms: both kinds of process from start to end, and their difference. */
export type ColdImport = { bundleMs: number; nothingMs: number; importMs: number }

/**
 * Loads `file` in a process with exactly `environment`. The process that loads nothing gets none,
 * so the cost of NODE_OPTIONS counts as part of the import.
 */
export async function timeColdImport(file: string, environment: Record<string, string>): Promise<ColdImport> {
  const bundleMs: number[] = []
  const nothingMs: number[] = []
  for (let pair = 0; pair <= pairs; pair += 1) {
    const [empty, full] = [await timeProcess(nothing, {}), await timeProcess(file, environment)]
    // The first pair loads Node and the files into the machine's memory.
    if (pair === 0) continue
    nothingMs.push(empty)
    bundleMs.push(full)
  }
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
