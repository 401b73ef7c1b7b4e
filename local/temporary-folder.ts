/** Temporary folders, which are removed when this process exits. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** Creates a folder. It stays behind after a signal that the process does not handle, such as `kill -9`. */
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
