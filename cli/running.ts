/**
 * Records the address of the system that `npm start` runs. The file also has the process id, so that a file left by a
 * crash is ignored.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { readJson, whole } from '../core/lib/parse.ts'

const runningFile = fileURLToPath(new URL('../.cache/running.json', import.meta.url))

const entry = z.object({ url: z.url({ protocol: /^http$/ }), pid: whole(1, 2 ** 31) })

/** Records that this process serves `url`. The system that started last wins. */
export async function recordRunning(url: string, file = runningFile): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ url, pid: process.pid }))
}

/** Removes the record of this process; that of another process stays. */
export async function clearRunning(file = runningFile): Promise<void> {
  if ((await readEntry(file))?.pid === process.pid) await rm(file, { force: true })
}

/** Returns the address of the running local system; undefined without one. */
export async function readRunning(file = runningFile): Promise<string | undefined> {
  const found = await readEntry(file)
  return found !== undefined && isAlive(found.pid) ? found.url : undefined
}

async function readEntry(file: string): Promise<z.infer<typeof entry> | undefined> {
  const text = await readFile(file, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined
    throw failure
  })
  const found = text === undefined ? undefined : readJson(entry, text)
  return found?.ok ? found.value : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (failure) {
    // EPERM means that the process of another user is alive.
    return failure instanceof Error && 'code' in failure && failure.code === 'EPERM'
  }
}
