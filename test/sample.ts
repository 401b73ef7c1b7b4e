import { createHash } from 'node:crypto'

/** Some five minutes on two processors. */
const filesInSample = 8

/** Eight of the files, the same ones for the same seed. */
export function sampleOf(files: readonly string[], seed: string): string[] {
  const place = (file: string) => createHash('sha256').update(`${seed}:${file}`).digest('hex')
  const placed = files.map((file) => ({ file, place: place(file) }))
  return placed
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, filesInSample)
    .map(({ file }) => file)
}
