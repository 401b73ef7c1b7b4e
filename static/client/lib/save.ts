/** Saves a text or a file from a page. */
import { make } from './dom.ts'

/**
 * True once `text` is on the clipboard, which a browser may keep closed: by its settings, or to a page without a secure
 * address. Then what is `shown` of it is selected, to be copied by hand.
 */
export async function copyText(text: string, shown?: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown) window.getSelection()?.selectAllChildren(shown)
    return false
  }
}

export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  make('a', { href, download: name }).click()
  // The browser reads the file after this turn, and does not report when it has.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
