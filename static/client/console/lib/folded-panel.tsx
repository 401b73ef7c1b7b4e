/** A panel for a rare action: its name and one sentence, which unfold to the rest. */
import type { ComponentChildren } from 'preact'

type Props = { id: string; title: string; text: string; isHidden?: boolean; children: ComponentChildren }

export function FoldedPanel({ id, title, text, isHidden = false, children }: Props) {
  return (
    <details class="folded" id={id} hidden={isHidden}>
      <summary>
        <h2>{title}</h2>
        <span>{text}</span>
      </summary>
      <div class="folded__body">{children}</div>
    </details>
  )
}
