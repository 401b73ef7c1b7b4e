/**
 * The clipboard, which a browser may keep closed: by its settings, or to a page without a secure
 * address.
 */

/** True once `text` is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
