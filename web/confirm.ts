/** The one dialog of a page: says what will happen, and waits for a choice. Its place is made by pages/layout.ts. */
import { byId, make } from './dom.ts'
import { button } from './parts.ts'

export type Choice<Value extends string = string> = { value: Value; label: string; kind: 'main' | 'danger' | 'plain' }

/** The chosen value, or undefined when the reader stepped back (Escape counts as that). */
export function askFirst<Value extends string>(
  title: string,
  paragraphs: readonly string[],
  choices: readonly Choice<Value>[],
  back: string,
): Promise<Value | undefined> {
  const dialog = byId('confirm', HTMLDialogElement)
  byId('confirm-title').textContent = title
  byId('confirm-text').replaceChildren(...paragraphs.map((text) => make('p', {}, text)))
  const buttons = choices.map(({ value, label, kind }) =>
    button(label, () => dialog.close(value), { look: kind, 'data-choice': value }),
  )
  const stepBack = button(back, () => dialog.close(''), { look: 'plain', 'data-choice': 'back', autofocus: true })
  byId('confirm-actions').replaceChildren(stepBack, ...buttons)
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(choices.find(({ value }) => value === dialog.returnValue)?.value), {
      once: true,
    })
  })
}

/** Takes an open question back: what it asked is no longer true. The answer is then that of stepping back. */
export function dismissConfirm(): void {
  byId('confirm', HTMLDialogElement).close('')
}
