/** Tables that a spreadsheet reads (RFC 4180), in one answer or in parts that follow each other. */
import { byteOrderMark, type Cell, csvLine } from '../../core/lib/csv-line.ts'

/** A function answers with 6 MB at most; the rest is for headers, the escaping as JSON, and one more row. */
const maxBytes = 5_000_000

/** A table: headings, the lines of each row, and the cursor behind which the next part begins. */
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

/** As many rows of `pages` as one answer holds. Only the first part has the mark and headings. */
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
