/** Tables that a spreadsheet reads (RFC 4180), in one answer or in parts that follow each other. */
import { byteOrderMark, type Cell, csvLine } from '../../core/lib/csv-line.ts'

/**
 * A function answers with 6 MB at most; the rest is room for the headers and for escaping the body
 * as JSON, and for the lines of one more row.
 */
const maxBytes = 5_000_000

/**
 * The lines of a table: its headings, those that `linesOf` makes of each row, and where a row is in
 * the order of the walk, so that the next part can begin behind it.
 */
export type CsvTable<Row> = {
  headings: readonly string[]
  linesOf: (row: Row) => readonly (readonly Cell[])[]
  cursorOf: (row: Row) => string
}

/** The cell of a row in each column of a table. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** A table with a line for each row: some of `columns`, in the order of `headings`. No other cell is computed. */
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

/** A part of a table; `next` is the cursor of its last row where more may follow. */
export type CsvPart = { text: string; next: string | undefined }

/**
 * As many rows of `pages` as one answer holds; of the rest no more pages are read. Only the first
 * part of a table has headings, and before them the mark.
 */
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
