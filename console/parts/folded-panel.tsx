/** Draws a collapsed panel for a rare action, with its name and a sentence. */
import type { ComponentChildren } from 'preact'

type Props = {
  id: string
  title: string
  text: string
  isHidden?: boolean
  /** Called when it is unfolded or folded. */
  toggle?(isOpen: boolean): void
  children: ComponentChildren
}

export function FoldedPanel({ id, title, text, isHidden = false, toggle, children }: Props) {
  return (
    <details class="folded" id={id} hidden={isHidden} onToggle={(event) => toggle?.(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        <span>{text}</span>
      </summary>
      <div class="folded__body">{children}</div>
    </details>
  )
}
