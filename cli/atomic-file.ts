/** Files that are written whole or not at all, so that a kill or a full disk leaves what was there before. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Replaces `file`, or creates it. With `isNew` only creates it, for its owner alone.
 * @throws the failure of the file system; EEXIST for a file that should be new
 */
export function writeFileAtomic(file: string, text: string, { isNew = false } = {}): void {
  // In the same folder, because a file cannot be renamed into another file system.
  const part = `${file}.${process.pid}.part`
  try {
    writeFileSync(part, text, isNew ? { mode: 0o600 } : {})
    if (isNew) linkSync(part, file)
    else renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}
