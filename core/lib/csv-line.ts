/** Lines of a table that a spreadsheet reads (RFC 4180). */

export type Cell = string | number | undefined

/** Spreadsheets take a file for UTF-8 when it begins so. */
export const byteOrderMark = '\uFEFF'

/**
 * A spreadsheet takes text that begins so for a formula, and a shopper may have chosen it; behind
 * an apostrophe it is text (OWASP, CSV injection).
 */
const formula = /^[=+\-@\t\r]/

/** Cells without any of these stay as they are. */
const special = /^[=+\-@\t]|[",;\r\n]/

/** Also quotes semicolons, which some spreadsheets take for the end of a cell. */
function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '')
  if (!special.test(value)) return value
  const safe = formula.test(value) ? `'${value}` : value
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The cells as one line, with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}
