/** A panel for a rare action: its name and one sentence, which unfold to the rest. */
import { make } from '../../lib/dom.ts'

export function foldedPanel(
  { id, title, text }: { id: string; title: string; text: string },
  ...content: HTMLElement[]
): HTMLElement {
  const summary = make('summary', {}, make('h2', {}, title), make('span', {}, text))
  return make('details', { class: 'folded', id }, summary, make('div', { class: 'folded__body' }, ...content))
}
