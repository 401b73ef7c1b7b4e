/** What the import of a CSV file shows of it: a line for each result, and the columns that it does not read. */
import { make } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'
import { scrollTable } from './scroll-table.ts'

/** Lines of the table; of a longer one the rest is counted. */
const mostRows = 200

/** `about` is the cell that names the order or shopper, as the file has it. */
type Result = { line: number; about: string; code: string; said: string }

type Subject = 'early.shopper' | 'ship.order'

/** `subject` is the heading over what the lines are about. */
export function resultTable(voice: ConsoleVoice, subject: Subject, results: readonly Result[]): HTMLElement {
  const columns = ['csv.line', subject, 'csv.result'] as const
  // On a phone each cell names its column.
  const cell = (column: (typeof columns)[number], text: string) =>
    make('td', { role: 'cell', 'data-label': voice.t(column) }, text)
  const row = ({ line, about, code, said }: Result) =>
    make(
      'tr',
      { role: 'row', 'data-line': line, 'data-code': code },
      cell('csv.line', line.toLocaleString(voice.locale())),
      cell(subject, about),
      cell('csv.result', said),
    )
  const more = results.length - mostRows
  return scrollTable(
    columns.map((column) => voice.t(column)),
    results.slice(0, mostRows).map(row),
    more > 0 ? make('p', {}, voice.t('csv.more', { n: more })) : undefined,
  )
}

/** Names the columns of the file that are not read, if there are any. */
export function ignoredColumns(voice: ConsoleVoice, columns: readonly string[]): readonly HTMLElement[] {
  if (columns.length === 0) return []
  return [make('p', { class: 'ignored' }, voice.t('csv.ignored', { columns: columns.join(', ') }))]
}
