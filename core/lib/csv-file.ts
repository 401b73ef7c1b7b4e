/**
 * Reads CSV files from people, spreadsheets and other companies: UTF-8 with or without a byte order mark, UTF-16 with one,
 * any line ends, quoted or not, columns in any order. It reports what it cannot read, and never guesses.
 */
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { plainCell } from './csv-line.ts'
import { textInBytes } from './file-text.ts'

/** Larger files are rejected unread, because a page would have to keep all of one in memory. */
export const maxCsvBytes = 4_000_000

/** Longer lines are rejected, because a quote is probably missing. */
const maxLineCharacters = 2000

/**
 * Why a file cannot be read. `not-text`: another encoding, or binary. `empty`: no line with a value. `no-lines`: only the
 * header. `unreadable`: `line` has wrong quotes, or more cells than the header.
 */
export type CsvFault =
  | { kind: 'too-large' | 'not-text' | 'empty' | 'no-lines' }
  | { kind: 'missing-column' | 'double-column'; column: string }
  | { kind: 'unreadable'; line: number }

/** A line of the file: its number, from 1, and its trimmed cells. */
export type CsvLine<Column extends string> = { line: number; cell: (column: Column) => string }

/** `ignored` are the names of unknown columns. */
export type CsvFile<Column extends string> =
  | { ok: true; lines: readonly CsvLine<Column>[]; ignored: readonly string[] }
  | { ok: false; fault: CsvFault }

/** Cells of a missing column are empty. `or-next`: the column is optional if the file has the next one. */
export type Columns<Column extends string> = { [Name in Column]: 'needed' | 'or-next' | 'optional' }

/**
 * Returns the lines of a file that have a value. Its first line names the columns, in any order and case. Empty cells may
 * be missing at the end of a line, because some spreadsheets drop them.
 */
export function readCsv<Column extends string>(bytes: Uint8Array, columns: Columns<Column>): CsvFile<Column> {
  const text = bytes.length > maxCsvBytes ? undefined : textInBytes(bytes)
  if (text === undefined) return fault({ kind: bytes.length > maxCsvBytes ? 'too-large' : 'not-text' })
  const names = namesOf(columns)
  const known = new Set(names.map((name) => name.toLowerCase()))
  const rows = rowsIn(text, separatorOf(text, known))
  if (!Array.isArray(rows)) return fault({ kind: 'unreadable', line: rows.line })
  const [head, ...rest] = rows
  if (head === undefined) return fault({ kind: 'empty' })
  const heads = head.cells.map((name) => name.toLowerCase())
  const has = (name = '') => heads.includes(name.toLowerCase())
  for (const [at, name] of names.entries()) {
    const need = columns[name]
    const isNeeded = need === 'needed' || (need === 'or-next' && !has(names[at + 1]))
    if (heads.filter((head) => head === name.toLowerCase()).length > 1)
      return fault({ kind: 'double-column', column: name })
    if (isNeeded && !has(name)) return fault({ kind: 'missing-column', column: name })
  }
  if (rest.length === 0) return fault({ kind: 'no-lines' })
  const ignored = head.cells.filter((name) => name !== '' && !known.has(name.toLowerCase()))
  const lines = rest.map(({ line, cells }) => ({
    line,
    cell: (name: Column) => plainCell(cells[heads.indexOf(name.toLowerCase())] ?? ''),
  }))
  return { ok: true, lines, ignored }
}

function fault(fault: CsvFault): { ok: false; fault: CsvFault } {
  return { ok: false, fault }
}

function namesOf<Column extends string>(columns: Columns<Column>): Column[] {
  const names: Column[] = []
  for (const name in columns) names.push(name)
  return names
}

/** The first line of some files, which only names the separator. */
const namedSeparator = /^"?sep=([^\r\n"])/i

/** Returns the separator that finds most of the `known` columns in the first line. Cells may contain the others. */
function separatorOf(text: string, known: ReadonlySet<string>): string {
  const named = namedSeparator.exec(text)?.[1]
  // The parser converts its whole input to bytes, so it gets only the start.
  const start = text.slice(0, 10 * maxLineCharacters)
  const count = (separator: string) => {
    const rows = rowsIn(start, separator, 1)
    return Array.isArray(rows) ? (rows[0]?.cells.filter((name) => known.has(name.toLowerCase())).length ?? 0) : 0
  }
  const separators = [...(named === undefined ? [] : [named]), ',', ';', '\t']
  return separators.reduce((best, other) => (count(other) > count(best) ? other : best))
}

type Row = { line: number; cells: string[] }

/** Returns up to `maxRows` rows that have a value, or the first line that cannot be read. */
function rowsIn(text: string, separator: string, maxRows = -1): Row[] | { line: number } {
  const rows: Row[] = []
  let unreadableLine: number | undefined
  try {
    parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      from_line: namedSeparator.test(text) ? 2 : 1,
      to: maxRows,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: maxLineCharacters,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line: lines, cells })
        if (cells.slice(rows[0]?.cells.length).some((cell) => cell !== '')) unreadableLine ??= lines
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    unreadableLine ??= Number(error.lines)
  }
  return unreadableLine === undefined ? rows : { line: unreadableLine }
}
