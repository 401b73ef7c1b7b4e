/** Writes files whole or not at all, so that a kill or a full disk leaves the former content. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Creates or replaces `file`. With `isNew` it only creates the file, readable by its owner alone.
 * @throws the failure of the file system; EEXIST for a file that should be new
 */
export function writeFileAtomic(file: string, text: string, { isNew = false } = {}): void {
  // The part is in the same folder, because a file cannot be renamed into another file system.
  const part = `${file}.${process.pid}.part`
  try {
    writeFileSync(part, text, isNew ? { mode: 0o600 } : {})
    if (isNew) linkSync(part, file)
    else renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}
