/** Writes CSV for spreadsheets (RFC 4180), without formula injection. */

export type Cell = string | number | undefined

/** With it, spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet would read a formula, possibly one that a shopper has entered. An apostrophe makes it text (OWASP,
 * CSV injection). A spreadsheet with another separator than the comma also starts a cell after that separator, and after
 * a line end within quotes.
 */
const formula = /^(?=[\t\r])|(?:^|[;|\t\r\n；؛])(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])/gu

/** A quick test: most cells have none of these and stay unchanged. */
const special = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|[",;|\t\r\n；؛]/u

/**
 * A phone number in groups (E.123). It is no formula, and label tools do not understand an apostrophe. Without its spaces
 * a spreadsheet would convert it to a number and drop the plus.
 */
const phone = /^\+\d{1,3}(?: \d+)+(?: ext\. \d+)?$/

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '')
  if (!special.test(value) || phone.test(value)) return value
  const safe = value.replace(formula, "$&'")
  // A semicolon ends a cell in some spreadsheets.
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Removes the apostrophes that `csvLine` has added to a cell. */
export const plainCell = (cell: string): string =>
  cell.replace(/^'(?=[\t\r])|(?<=^|[;|\t\r\n；؛])'(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])/gu, '')

/** Returns the cells as one line with its line end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/** Returns a whole file with a byte order mark. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => byteOrderMark + rows.map(csvLine).join('')
