/** Folders of this machine that last as long as this process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A new folder, which is removed when this process exits. A signal that the process does not handle leaves it, as `kill -9` does. */
export function temporaryFolder(): string {
  if (folders.length === 0) {
    process.on('exit', () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    })
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  folders.push(folder)
  return folder
}
