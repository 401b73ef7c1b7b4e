/** Saves a table of a sale, part by part: no more than one part is in memory. */
import { open, rename, rm } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { type ControlClient, retryOnce, type TableName } from '../control-client.ts'

type Write = (text: string) => Promise<unknown>
/** With `isJson` each row is a line of JSON, an object with the cells by their headings. */
type Wanted = { table: TableName; saleId: string; isJson: boolean }

/** Writes to the file `out`, which appears when it is complete; without it, to `print`. */
export async function writeTable(
  control: Pick<ControlClient, 'tablePart'>,
  wanted: Wanted,
  out: string | undefined,
  print: (text: string) => void,
): Promise<void> {
  const copyTo = (write: Write) => copyParts(control, wanted, write)
  if (out === undefined) return copyTo(async (text) => print(text.trimEnd()))
  const unfinished = `${out}.part`
  const file = await open(unfinished, 'w')
  try {
    await copyTo((text) => file.write(text))
    await file.close()
    await rename(unfinished, out)
  } catch (failure) {
    await file.close()
    await rm(unfinished)
    throw failure
  }
  print(`${wanted.table} of ${wanted.saleId} written to ${out}`)
}

async function copyParts(
  control: Pick<ControlClient, 'tablePart'>,
  { table, saleId, isJson }: Wanted,
  write: Write,
): Promise<void> {
  const asWanted = isJson ? jsonLines() : (text: string) => text
  let after: string | null = ''
  while (after !== null) {
    const from: string = after
    const part = await retryOnce(() => control.tablePart(table, saleId, { after: from }))
    const text = asWanted(part.text)
    if (text !== '') await write(text)
    after = part.next
  }
}

/** Turns the parts of a table, in their order, into lines of JSON: only the first part has headings. */
function jsonLines(): (csv: string) => string {
  let headings: string[] = []
  return (csv) => {
    const rows: string[][] = parse(csv)
    if (headings.length === 0) headings = rows.shift() ?? []
    const objects = rows.map((cells) =>
      Object.fromEntries(headings.map((heading, at) => [heading, plainCell(cells[at] ?? '')])),
    )
    return objects.map((row) => `${JSON.stringify(row)}\n`).join('')
  }
}

/** A cell without the quote that keeps spreadsheets from taking it for a formula (core/lib/csv-line.ts). */
const plainCell = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r])/, '')
