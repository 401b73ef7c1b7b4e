/** Saves a text or a file from a page. */
import type { saveMessages } from '../templates/messages/catalogues.ts'
import { words } from '../templates/messages/text.ts'
import { make, setText } from './dom.ts'
import { loadWords } from './load-module.ts'
import { actions, button } from './parts.ts'

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

/**
 * Saves a file, and says so: browsers inside of apps ignore such a link, and no page learns of that. So its reader gets the
 * text of the file to copy, or `text`, which is shown.
 */
export async function saveFile(file: Blob, name: string, text = ''): Promise<void> {
  const href = URL.createObjectURL(file)
  make('a', { href, download: name }).click()
  // The browser reads the file after this turn, and does not report when it has.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
  const { lang } = document.documentElement
  if (!(await loadWords('save', lang))) return
  const say = (key: keyof typeof saveMessages) => words(key, lang, { name })
  const note = make('p', { role: 'status' })
  const shown = make('p', { dir: 'auto' }, text)
  const copy = async () => {
    const whole = text === '' ? await file.text() : text
    shown.replaceChildren(whole)
    setText(note, say((await copyText(whole, shown)) ? 'save.copied' : 'save.copyByHand'))
  }
  const copier = button(say('save.copy'), () => void copy(), { look: 'plain', id: 'saved-copy' })
  const close = button(say('save.close'), () => notice.remove(), { look: 'plain', id: 'saved-close' })
  const notice = make('div', { id: 'saved', class: 'notice', lang }, note, shown, actions(copier, close))
  // No style sheet of a page is made heavier by it, and a style that a script sets needs no permission.
  notice.style.cssText =
    'display:grid;gap:.75rem;position:sticky;bottom:0;z-index:1;margin-top:1rem;border:1px solid var(--line);background:var(--card);color:var(--ink)'
  shown.style.cssText = 'max-height:30vh;overflow:auto;white-space:pre-line;overflow-wrap:anywhere'
  document.querySelector('#saved')?.remove()
  // What is beside an open dialog cannot be pressed.
  const place = document.querySelector('dialog[open]') ?? document.querySelector('main')
  place?.append(notice)
  // Readers announce only what changes.
  setText(note, say('save.asked'))
}
