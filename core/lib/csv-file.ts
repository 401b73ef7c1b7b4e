/**
 * CSV files that a person made or another company sent: UTF-8 with or without a byte order mark, any
 * line ends, quoted or not, columns in any order. What cannot be read is named, and nothing is
 * guessed.
 */
import { CsvError, parse } from 'csv-parse/browser/esm/sync'

/** Larger files are refused before they are read: a page would hold all of it in memory. */
export const maxCsvBytes = 4_000_000

/** Longer lines are refused: most likely a quote is missing. */
const maxLineCharacters = 2000

/**
 * Why a file cannot be read. `not-text`: it is not in UTF-8, or not text at all. `empty`: it has no
 * line, `no-lines`: only the one with the names. `unreadable`: quotes or the number of cells are
 * wrong at `line`.
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

/** An optional column may be missing: its cells are then empty. */
export type Columns<Column extends string> = { [Name in Column]: 'needed' | 'optional' }

/** The lines of a file whose first line names its columns, in any order and in small or capital letters. */
export function readCsv<Column extends string>(bytes: Uint8Array, columns: Columns<Column>): CsvFile<Column> {
  const text = bytes.length > maxCsvBytes ? undefined : textIn(bytes)
  if (text === undefined) return fault({ kind: bytes.length > maxCsvBytes ? 'too-large' : 'not-text' })
  const rows = rowsIn(text)
  if (!Array.isArray(rows)) return fault({ kind: 'unreadable', line: rows.line })
  const [head, ...rest] = rows
  if (head === undefined) return fault({ kind: 'empty' })
  const names = namesOf(columns)
  const heads = head.cells.map((name) => name.toLowerCase())
  for (const name of names) {
    const found = heads.filter((head) => head === name.toLowerCase()).length
    if (found > 1) return fault({ kind: 'double-column', column: name })
    if (found === 0 && columns[name] === 'needed') return fault({ kind: 'missing-column', column: name })
  }
  if (rest.length === 0) return fault({ kind: 'no-lines' })
  const known = new Set(names.map((name) => name.toLowerCase()))
  const ignored = head.cells.filter((name) => !known.has(name.toLowerCase()))
  const lines = rest.map(({ line, cells }) => ({
    line,
    cell: (name: Column) => cells[heads.indexOf(name.toLowerCase())] ?? '',
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

/** A NUL is valid UTF-8, and no text: such files are UTF-16, or something else. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    // The decoder throws for nothing else.
    return undefined
  }
}

type Row = { line: number; cells: string[] }

/** The rows, or the first line that cannot be read. Some spreadsheets separate cells by semicolons. */
function rowsIn(text: string): Row[] | { line: number } {
  const rows: Row[] = []
  try {
    parse(text, {
      delimiter: [',', ';'],
      trim: true,
      skip_empty_lines: true,
      max_record_size: maxLineCharacters,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line: lines, cells })
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { line: Number(error.lines) }
  }
  return rows
}
