/** What each variant of a sale has, has sold and has left: one row for each (N1). */
import type { Live } from '../../../../core/api/control.ts'
import type { Variant } from '../../../../core/sale/variants.ts'
import { make, setText } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'

type VariantPanel = { element: HTMLElement; draw(live: Live): void }

const numbers = ['total', 'booked', 'left'] as const

type Cells = Record<'name' | (typeof numbers)[number], HTMLElement>

/** Hidden for a sale without variants. */
export function variantPanel(voice: ConsoleVoice): VariantPanel {
  const head = (name: keyof Cells) =>
    make(
      'th',
      { scope: 'col', role: 'columnheader', class: name === 'name' ? '' : 'number' },
      voice.t(`variants.${name}`),
    )
  const body = make('tbody', { role: 'rowgroup' })
  const table = make(
    'table',
    { role: 'table', 'aria-labelledby': 'variants-title' },
    make(
      'thead',
      { role: 'rowgroup' },
      make('tr', { role: 'row' }, head('name'), ...numbers.map((name) => head(name))),
    ),
    body,
  )
  const element = make(
    'section',
    { class: 'panel shards', id: 'variants', hidden: true },
    make('h2', { id: 'variants-title' }, voice.t('variants.title')),
    make('div', { class: 'scroll', tabindex: 0 }, table),
  )
  const rows = new Map<string, Cells>()

  /** CSS takes the table apart on a phone, so its parts name their roles and their columns. */
  function newRow(id: string): Cells {
    const cell = (name: (typeof numbers)[number]) =>
      make('td', { role: 'cell', class: 'number', 'data-label': voice.t(`variants.${name}`) })
    const cells = {
      name: make('th', { scope: 'row', role: 'rowheader' }),
      ...{ total: cell('total'), booked: cell('booked'), left: cell('left') },
    }
    body.append(make('tr', { role: 'row', 'data-variant': id }, ...Object.values(cells)))
    rows.set(id, cells)
    return cells
  }

  const shown = (n: number | undefined) => n?.toLocaleString(voice.locale()) ?? '–'

  function drawRow({ id, name, stock }: Variant, live: Live): void {
    const cells = rows.get(id) ?? newRow(id)
    const before = live.sale.warmed ? undefined : { total: stock, booked: 0, left: stock }
    const numbersNow = live.frozen ? undefined : live.variants?.[id]
    const units = numbersNow ?? before
    setText(cells.name, name)
    setText(cells.total, shown(units?.total))
    setText(cells.booked, shown(units?.booked))
    setText(cells.left, units?.left === 0 ? `0 · ${voice.t('variants.soldOut')}` : shown(units?.left))
    cells.left.toggleAttribute('data-none', units?.left === 0)
  }

  return {
    element,
    draw(live) {
      const { variants = [] } = live.sale
      element.hidden = variants.length === 0
      const ids = variants.map(({ id }) => id).join(' ')
      // Before it is warmed a sale may get other variants.
      if (ids !== [...rows.keys()].join(' ')) {
        rows.clear()
        body.replaceChildren()
      }
      for (const variant of variants) drawRow(variant, live)
    },
  }
}
