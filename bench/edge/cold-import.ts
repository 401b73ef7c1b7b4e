/** How long a new instance takes to load the bundle: fresh processes, each beside one that loads an empty module. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { dist } from '../../build.ts'
import { median } from '../statistics.ts'

const pairs = 15
const bundle = join(dist, 'edge/handler.mjs')
const nothing = fileURLToPath(new URL('nothing.mjs', import.meta.url))

const run = promisify(execFile)

/** Medians over the pairs, in ms: of both kinds of process from start to end, and of their difference. */
export type ColdImport = { bundleMs: number; nothingMs: number; importMs: number }

/** `dist/` must have been built. */
export async function timeColdImport(): Promise<ColdImport> {
  const bundleMs: number[] = []
  const nothingMs: number[] = []
  for (let pair = 0; pair <= pairs; pair += 1) {
    const [empty, full] = [await timeProcess(nothing), await timeProcess(bundle)]
    // The first pair brings Node and the files into the memory of the machine.
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

async function timeProcess(file: string): Promise<number> {
  // Compiled code that an earlier process left behind would make the import a warm one.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const startedAt = performance.now()
  await run(process.execPath, [file], { env })
  return performance.now() - startedAt
}
