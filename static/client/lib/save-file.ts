import { make } from './dom.ts'

/** Saves `file` as a download called `name`. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  make('a', { href, download: name }).click()
  // The browser reads the file after this turn, and does not report when it has.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
