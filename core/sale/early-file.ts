/**
 * A file of shoppers for the list of a sale for early access, and its import: the same at the command
 * line and in the console. It can be stopped and repeated, because a shopper who is on the list stays.
 */
import { maxEarlyShoppers } from '../api/early-list.ts'
import { parseShopperId, type ShopperId } from '../ids.ts'
import { type CsvFault, readCsv } from '../lib/csv-file.ts'
import { type ChangeCounts, sendChanges } from '../lib/slices.ts'

/** A line that cannot be imported: `text` is what the file has there. */
export type RefusedLine = { line: number; text: string; code: 'invalid' | 'duplicate' }

/** `ignored` are names of unknown columns. */
export type EarlyFile = {
  shoppers: readonly ShopperId[]
  refused: readonly RefusedLine[]
  ignored: readonly string[]
}

/** Reads a file with the column `shopperId`. A second line of one shopper is refused, and changes nothing. */
export function readEarlyFile(
  bytes: Uint8Array,
): ({ ok: true } & EarlyFile) | { ok: false; fault: CsvFault } {
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

/**
 * Sends the shoppers in calls, one after the other, and reports after each how many are done. Undefined
 * from `send` stops: the counts are those until then.
 */
export async function sendEarly(
  shoppers: readonly ShopperId[],
  send: (some: readonly ShopperId[]) => Promise<ChangeCounts | undefined>,
  onProgress: (done: number) => void,
): Promise<ChangeCounts> {
  return sendChanges(shoppers, maxEarlyShoppers, send, onProgress)
}
