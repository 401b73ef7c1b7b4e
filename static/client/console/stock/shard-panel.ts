/**
 * The databases of a split stock: one row for each shard, and below them the units that no shard has
 * yet. Hidden for a stock in one database.
 */
import type { Live } from '../../../../core/api/control.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make, setText } from '../../lib/dom.ts'
import { sayFor } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'

type Split = NonNullable<Live['split']>
type Shard = Split['shards'][number]
type ShardPanel = { element: HTMLElement; draw(live: Live): void }

/** A row that stays in the page from one look to the next. */
type Row = { element: HTMLElement; draw(shard: Shard): void }

const headings = ['database', 'state', 'granted', 'booked', 'left'] as const
const counts = ['granted', 'booked', 'left'] as const

export function shardPanel(voice: ConsoleVoice, kind: SaleKind): ShardPanel {
  const say = sayFor(voice, kind)
  const shown = (n: number | null) => n?.toLocaleString(voice.locale()) ?? '–'
  const heads = headings.map((name) =>
    make('th', { scope: 'col', role: 'columnheader', class: look(name) }, say(`shards.${name}`)),
  )
  const body = make('tbody', { role: 'rowgroup' })
  const table = make(
    'table',
    { role: 'table' },
    make('caption', {}, say('shards.caption')),
    make('thead', { role: 'rowgroup' }, make('tr', { role: 'row' }, ...heads)),
    body,
  )
  const scroll = make('div', { class: 'scroll', tabindex: 0 }, table)
  const pool = make('p', { id: 'shards-pool' })
  const title = make('h2', {}, say('shards.title'))
  const element = make('section', { class: 'panel shards', id: 'shards', hidden: true }, title, scroll, pool)
  let rows: readonly Row[] = []

  /** CSS takes the table apart on a phone, so its parts name their roles and their columns. */
  function row(): Row {
    const label = (name: (typeof headings)[number]) => ({
      'data-label': say(`shards.${name}`),
      class: look(name),
    })
    const name = make('th', { scope: 'row', role: 'rowheader' })
    const badge = make('span', { class: 'shards__state' })
    const cells = counts.map((count) => ({ count, cell: make('td', { role: 'cell', ...label(count) }) }))
    const state = make('td', { role: 'cell', ...label('state') }, badge)
    return {
      element: make('tr', { role: 'row' }, name, state, ...cells.map(({ cell }) => cell)),
      draw(shard) {
        setText(name, shard.database)
        setText(badge, say(`shards.state.${shard.state}`))
        badge.dataset.state = shard.state
        for (const { count, cell } of cells) setText(cell, shown(shard[count]))
      },
    }
  }

  function drawRows({ shards }: Split): void {
    if (rows.length !== shards.length) {
      rows = shards.map(row)
      body.replaceChildren(...rows.map((one) => one.element))
    }
    for (const [at, shard] of shards.entries()) rows[at]?.draw(shard)
  }

  return {
    element,
    draw({ split }) {
      element.hidden = split === null
      if (split === null) return
      drawRows(split)
      const key = split.pool < 0 ? 'shards.overdrawn' : 'shards.pool'
      setText(pool, say(key, { n: Math.abs(split.pool) }))
    },
  }
}

/** Numbers stand below each other by their last digit. */
function look(name: (typeof headings)[number]): string {
  return counts.some((count) => count === name) ? 'number' : ''
}
