/** Asks in the page's only dialog before an action. `templates/pages/layout.ts` makes its element. */
import { byId, make } from './dom.ts'
import { button } from './parts.ts'

export type Choice<Value extends string = string> = { value: Value; label: string; kind: 'main' | 'danger' | 'plain' }

/** Resolves with the chosen value, or undefined when the reader stepped back or pressed Escape. */
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
  const stepBack = button(back, () => dialog.close(''), {
    look: 'plain',
    'data-choice': 'back',
    autofocus: true,
  })
  byId('confirm-actions').replaceChildren(stepBack, ...buttons)
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(choices.find(({ value }) => value === dialog.returnValue)?.value), {
      once: true,
    })
  })
}

/** Closes an open question that is no longer true, as if the reader stepped back. */
export function dismissConfirm(): void {
  byId('confirm', HTMLDialogElement).close('')
}
