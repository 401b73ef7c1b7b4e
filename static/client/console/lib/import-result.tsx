/** The result of the import of a CSV file: a line for each result, and the columns that it does not read. */
import { useView } from '../view-place.ts'
import { ScrollTable, TableCell } from './scroll-table.tsx'

/** Lines of the table; of a longer one the rest is counted. */
const mostRows = 200

/** `about` is the cell that names the order or shopper, as the file has it. */
type Result = { line: number; about: string; code: string; said: string }

/** `subject` is the heading over what the lines are about. */
export type ResultTableProps = {
  subject: 'ship.order' | 'block.value'
  results: readonly Result[]
}

export function ResultTable({ subject, results }: ResultTableProps) {
  const { voice } = useView()
  const columns = ['csv.line', subject, 'csv.result'] as const
  const more = results.length - mostRows
  return (
    <ScrollTable
      headings={columns.map((column) => voice.t(column))}
      below={more > 0 && <p>{voice.t('csv.more', { n: more })}</p>}
    >
      {results.slice(0, mostRows).map(({ line, about, code, said }) => (
        <tr key={line} role="row" data-line={line} data-code={code}>
          <TableCell label={voice.t('csv.line')}>{line.toLocaleString(voice.locale())}</TableCell>
          <TableCell label={voice.t(subject)}>{about}</TableCell>
          <TableCell label={voice.t('csv.result')}>{said}</TableCell>
        </tr>
      ))}
    </ScrollTable>
  )
}

/** Names the columns of the file that are not read, if there are any. */
export function IgnoredColumns({ columns }: { columns: readonly string[] }) {
  const { voice } = useView()
  if (columns.length === 0) return null
  return <p class="ignored">{voice.t('csv.ignored', { columns: columns.join(', ') })}</p>
}

/** Gives the focus to what a file led to, once it is in the page. */
export const focusResult = (element: HTMLElement | null): void => element?.focus()
