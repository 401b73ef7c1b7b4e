/** The public files of a draw in a map, which several runs may write. */
import type { DrawFiles } from '../../functions/draw-of-sale.ts'

/** A write fails when the file is not as this object read or wrote it last, as in the cloud. */
export function drawFilesIn(published: Map<string, Uint8Array>): DrawFiles {
  const known = new Map<string, Uint8Array | undefined>()
  return {
    async read(path) {
      const bytes = published.get(path)
      known.set(path, bytes)
      return bytes
    },
    async write(path, bytes) {
      const present = published.get(path)
      const isKnown = known.has(path) ? known.get(path) === present : !present || Buffer.compare(present, bytes) === 0
      if (!isKnown) throw new Error(`${path} was written meanwhile`)
      published.set(path, bytes)
      known.set(path, bytes)
    },
  }
}
