/** Writes tables that a spreadsheet reads (RFC 4180), in one answer or in consecutive parts. */
import { byteOrderMark, type Cell, csvLine } from '../../core/lib/csv-line.ts'

/** Lambda limits an answer to 6 MB; the rest is for headers, JSON escaping and one more row. */
const maxBytes = 5_000_000

/** A table: its headings, the lines of each row, and the cursor after which the next part begins. */
export type CsvTable<Row> = {
  headings: readonly string[]
  linesOf: (row: Row) => readonly (readonly Cell[])[]
  cursorOf: (row: Row) => string
}

export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/**
 * Returns a table with one line per row: those of `columns` that `headings` name, in their order. No other cell is computed.
 */
export function columnsTable<Row>(
  columns: CsvColumns<Row>,
  headings: readonly string[],
  cursorOf: (row: Row) => string,
): CsvTable<Row> {
  const cells = headings.map((heading) => {
    const cell = columns[heading]
    if (cell === undefined) throw new RangeError(`the table has no column ${heading}`)
    return cell
  })
  return { headings, linesOf: (row) => [cells.map((cell) => cell(row))], cursorOf }
}

/** A part of a table. `next` is the cursor of its last row when more may follow. */
export type CsvPart = { text: string; next: string | undefined }

/** Writes as many rows of `pages` as one answer holds. Only the first part has the byte order mark and the headings. */
export async function csvPart<Row>(
  { headings, linesOf, cursorOf }: CsvTable<Row>,
  pages: AsyncIterable<readonly Row[]>,
  isFirst: boolean,
): Promise<CsvPart> {
  const lines: string[] = []
  let bytes = 0
  const add = (cells: readonly Cell[]) => {
    const line = csvLine(cells)
    bytes += Buffer.byteLength(line)
    lines.push(line)
  }
  if (isFirst) {
    lines.push(byteOrderMark)
    add(headings)
  }
  for await (const page of pages) {
    for (const row of page) {
      for (const cells of linesOf(row)) add(cells)
      if (bytes > maxBytes) return { text: lines.join(''), next: cursorOf(row) }
    }
  }
  return { text: lines.join(''), next: undefined }
}
