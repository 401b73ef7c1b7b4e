/** Tables that a spreadsheet reads (RFC 4180), each in one answer. */

/**
 * A function answers with 6 MB at most; the rest is room for the headers and for escaping the body
 * as JSON.
 */
const maxBytes = 5_500_000

/**
 * Ids, codes, words of ours and times: no cell can hold a comma, a quote or anything beyond ASCII,
 * so none needs quoting.
 */
type Cells = readonly (string | number)[]

/**
 * A spreadsheet takes text that begins so for a formula, and a shopper may have chosen it; behind
 * an apostrophe it is text (OWASP, CSV injection).
 */
const formula = /^[=+\-@\t\r]/

function cellOf(value: string | number): string | number {
  return typeof value === 'string' && formula.test(value) ? `'${value}` : value
}

/**
 * A line of `headings`, then the lines that `linesOf` makes of each row. Undefined when they are
 * too many for one answer; then no more pages are read.
 */
export async function csvOf<Row>(
  headings: Cells,
  pages: AsyncIterable<readonly Row[]>,
  linesOf: (row: Row) => readonly Cells[],
): Promise<string | undefined> {
  const lines: string[] = []
  let bytes = 0
  const add = (cells: Cells) => {
    const line = `${cells.map(cellOf).join(',')}\r\n`
    bytes += line.length
    lines.push(line)
  }
  add(headings)
  for await (const page of pages) {
    for (const row of page) {
      for (const cells of linesOf(row)) add(cells)
      if (bytes > maxBytes) return undefined
    }
  }
  return lines.join('')
}
