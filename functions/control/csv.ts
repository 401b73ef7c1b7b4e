/** Tables that a spreadsheet reads (RFC 4180), in one answer or in parts that follow each other. */
import { type Cell, csvLine } from '../../core/lib/csv-line.ts'

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

/** The table with these of its columns, in this order. */
export function withColumns<Row>(table: CsvTable<Row>, columns: readonly string[]): CsvTable<Row> {
  const places = columns.map((column) => table.headings.indexOf(column))
  const linesOf = (row: Row) => table.linesOf(row).map((cells) => places.map((place) => cells[place]))
  return { ...table, headings: columns, linesOf }
}

/** A part of a table; `next` is the cursor of its last row where more may follow. */
export type CsvPart = { text: string; next: string | undefined }

/**
 * As many rows of `pages` as one answer holds; of the rest no more pages are read. Only the first
 * part of a table has headings.
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
  if (isFirst) add(headings)
  for await (const page of pages) {
    for (const row of page) {
      for (const cells of linesOf(row)) add(cells)
      if (bytes > maxBytes) return { text: lines.join(''), next: cursorOf(row) }
    }
  }
  return { text: lines.join(''), next: undefined }
}
