/**
 * A button that runs one action at a time. It stays focusable meanwhile, so that keyboard focus is
 * kept.
 */
import { make } from '../../lib/dom.ts'

type Kind = 'main' | 'plain' | 'danger'

export function workButton(
  id: string,
  kind: Kind,
  label: string,
  work: () => Promise<void>,
): HTMLButtonElement {
  let busy = false
  const press = async () => {
    if (busy) return
    busy = true
    button.setAttribute('aria-disabled', 'true')
    await work()
    busy = false
    button.removeAttribute('aria-disabled')
  }
  const button = make(
    'button',
    { type: 'button', id, class: `button button--${kind}`, click: () => void press() },
    label,
  )
  return button
}
