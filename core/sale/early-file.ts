/** A file of shoppers for the list of a sale for early access: the same at the command line and in the console. */
import { parseShopperId, type ShopperId } from '../ids.ts'
import { type CsvFault, readCsv } from '../lib/csv-file.ts'

/** A line that cannot be imported: `text` is what the file has there. */
type RefusedLine = { line: number; text: string; code: 'invalid' | 'duplicate' }

/** `ignored` are names of unknown columns. */
export type EarlyFile = {
  shoppers: readonly ShopperId[]
  refused: readonly RefusedLine[]
  ignored: readonly string[]
}

/** Reads a file with the column `shopperId`. A second line of one shopper is refused, and changes nothing. */
export function readEarlyFile(bytes: Uint8Array): ({ ok: true } & EarlyFile) | { ok: false; fault: CsvFault } {
  const file = readCsv(bytes, { shopperId: 'needed' })
  if (!file.ok) return file
  const shoppers = new Set<ShopperId>()
  const refused: RefusedLine[] = []
  for (const { line, cell } of file.lines) {
    const text = cell('shopperId')
    const shopperId = parseShopperId(text)
    if (shopperId === undefined) refused.push({ line, text, code: 'invalid' })
    else if (shoppers.has(shopperId)) refused.push({ line, text, code: 'duplicate' })
    else shoppers.add(shopperId)
  }
  return { ok: true, shoppers: [...shoppers], refused, ignored: file.ignored }
}
