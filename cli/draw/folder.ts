/** The public files of a draw in a folder. A file appears when it is complete. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DrawFiles } from '../../functions/sales/draw/keep-draw.ts'

export function folderFiles(folder: string): DrawFiles {
  return {
    read: (path) => readIfThere(join(folder, path)),
    async write(path, bytes) {
      const file = join(folder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(`${file}.part`, bytes)
      await rename(`${file}.part`, file)
    },
  }
}

/** The bytes of a file; undefined where it is missing. */
export async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  return readFile(file).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined
    throw failure
  })
}
