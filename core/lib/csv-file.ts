/**
 * CSV files that a person made, a spreadsheet saved again, or another company sent: UTF-8 with or without a byte
 * order mark, UTF-16 with one, any line ends, quoted or not, columns in any order. What cannot be read is named, and
 * nothing is guessed.
 */
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { plainCell } from './csv-line.ts'
import { textInBytes } from './file-text.ts'

/** Larger files are refused before they are read: a page would hold all of it in memory. */
export const maxCsvBytes = 4_000_000

/** Longer lines are refused: most likely a quote is missing. */
const maxLineCharacters = 2000

/**
 * Why a file cannot be read. `not-text`: it is in another encoding, or not text at all. `empty`: it has no line with
 * a value, `no-lines`: only the one with the names. `unreadable`: quotes are wrong at `line`, or it has more cells
 * than the first one.
 */
export type CsvFault =
  | { kind: 'too-large' | 'not-text' | 'empty' | 'no-lines' }
  | { kind: 'missing-column' | 'double-column'; column: string }
  | { kind: 'unreadable'; line: number }

/** A line of the file: its number, which counts from 1, and its cells, without spaces around them. */
export type CsvLine<Column extends string> = { line: number; cell: (column: Column) => string }

/** `ignored` are the names of other columns. */
export type CsvFile<Column extends string> =
  | { ok: true; lines: readonly CsvLine<Column>[]; ignored: readonly string[] }
  | { ok: false; fault: CsvFault }

/** Cells of a missing column are empty. `or-next`: the column may be missing where the file has the next one. */
export type Columns<Column extends string> = { [Name in Column]: 'needed' | 'or-next' | 'optional' }

/**
 * The lines with a value of a file whose first one names its columns, in any order and in small or capital letters.
 * Cells without a value may be absent at the end of a line, as some spreadsheets save them.
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

/** The first line of some files, which only names their separator for a spreadsheet. */
const namedSeparator = /^"?sep=([^\r\n"])/i

/** Returns the separator by which the first line has most of the `known` columns: cells may contain the other ones. */
function separatorOf(text: string, known: ReadonlySet<string>): string {
  const named = namedSeparator.exec(text)?.[1]
  // The reader turns all of a text into bytes first, each time.
  const start = text.slice(0, 10 * maxLineCharacters)
  const count = (separator: string) => {
    const rows = rowsIn(start, separator, 1)
    return Array.isArray(rows) ? (rows[0]?.cells.filter((name) => known.has(name.toLowerCase())).length ?? 0) : 0
  }
  const separators = [...(named === undefined ? [] : [named]), ',', ';', '\t']
  return separators.reduce((best, other) => (count(other) > count(best) ? other : best))
}

type Row = { line: number; cells: string[] }

/** Returns the rows with a value, at most `most` of them, or the first line that cannot be read. */
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
