/** Lines of a table that a spreadsheet reads (RFC 4180). */

export type Cell = string | number | undefined

/** Spreadsheets take a file for UTF-8 when it begins so. */
export const byteOrderMark = '\uFEFF'

/**
 * A spreadsheet takes text that begins so for a formula, and a shopper may have chosen it; behind an apostrophe it is
 * text (OWASP, CSV injection). Where it takes another separator than a comma, a cell also begins behind that one, and
 * at a line end within quotes: those before which the file has a comma are none to it.
 */
const formula = /^(?=[\t\r])|(?:^|[;|\t\r\n；؛])(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])/gu

/** Most cells have none of these, and stay as they are. */
const special = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|[",;|\t\r\n；؛]/u

/**
 * A phone number in groups (E.123). Digits beside each other are no formula, and label tools do not read an apostrophe.
 * Without its spaces a spreadsheet would make a number of it and drop the plus.
 */
const phone = /^\+\d{1,3}(?: \d+)+(?: ext\. \d+)?$/

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '')
  if (!special.test(value) || phone.test(value)) return value
  const safe = value.replace(formula, "$&'")
  // A semicolon ends a cell in some spreadsheets.
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns the text of a cell as it was before `csvLine`. */
export const plainCell = (cell: string): string =>
  cell.replace(/^'(?=[\t\r])|(?<=^|[;|\t\r\n；؛])'(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])/gu, '')

/** Returns the cells as one line, with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/** Returns a whole file. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => byteOrderMark + rows.map(csvLine).join('')
