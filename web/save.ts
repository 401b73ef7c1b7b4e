/** Copies a text or saves a file from a page. */
import type { saveMessages } from '../templates/messages/catalogues.ts'
import { words } from '../templates/messages/text.ts'
import { make, setText } from './dom.ts'
import { loadWords } from './load-module.ts'
import { actions, button } from './parts.ts'

/**
 * Copies `text` and returns true. If the browser refuses, by its settings or on a page without https, it selects `shown`
 * for copying by hand and returns false.
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
 * Saves a file and shows a notice. Browsers inside of apps ignore the download silently, so the notice also offers the
 * content to copy: `text`, or else the content of the file.
 */
export async function saveFile(file: Blob, name: string, text = ''): Promise<void> {
  const href = URL.createObjectURL(file)
  make('a', { href, download: name }).click()
  // The browser reads the file after this task, and does not report when it has.
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
  // Set here, so that no page's style sheet carries it. The CSP allows styles that a script sets.
  notice.style.cssText =
    'display:grid;gap:.75rem;position:sticky;bottom:0;z-index:1;margin-top:1rem;border:1px solid var(--line);background:var(--card);color:var(--ink)'
  shown.style.cssText = 'max-height:30vh;overflow:auto;white-space:pre-line;overflow-wrap:anywhere'
  document.querySelector('#saved')?.remove()
  // Elements outside of an open dialog cannot be pressed.
  const place = document.querySelector('dialog[open]') ?? document.querySelector('main')
  place?.append(notice)
  // Screen readers announce only changes.
  setText(note, say('save.asked'))
}
