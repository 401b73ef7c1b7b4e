/** Log files of the other processes, so that the terminal stays readable. */
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Logs = {
  dir: string
  /** An open file for the output of one process. */
  file(name: string): number
  /** Closes the files, and removes them unless they are kept with the data. */
  stop(): Promise<void>
}

/** Logs below `dataDir`, or in a temporary folder that is removed with the stack. */
export async function openLogs(dataDir: string | undefined): Promise<Logs> {
  const dir = dataDir === undefined ? await mkdtemp(join(tmpdir(), 'sluice-')) : join(dataDir, 'logs')
  await mkdir(dir, { recursive: true })
  const open: number[] = []
  return {
    dir,
    file(name) {
      const file = openSync(join(dir, `${name}.log`), 'w')
      open.push(file)
      return file
    },
    async stop() {
      for (const file of open.splice(0)) closeSync(file)
      if (dataDir === undefined) await rm(dir, { recursive: true, force: true })
    },
  }
}
