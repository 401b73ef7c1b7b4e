/** A table that is wider than a phone. */
import { make } from '../../lib/dom.ts'

/** It scrolls by itself. CSS takes it apart on a phone, so its parts name their roles. */
export function scrollTable(
  headings: readonly string[],
  rows: readonly HTMLElement[],
  below?: HTMLElement,
): HTMLElement {
  const heads = headings.map((text) => make('th', { scope: 'col', role: 'columnheader' }, text))
  return make(
    'div',
    { class: 'scroll', tabindex: 0 },
    make(
      'table',
      { role: 'table' },
      make('thead', { role: 'rowgroup' }, make('tr', { role: 'row' }, ...heads)),
      make('tbody', { role: 'rowgroup' }, ...rows),
    ),
    below,
  )
}
