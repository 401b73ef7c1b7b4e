/** Reads CSV files at the command line. Errors have the words of the console. */
import { readFile, stat } from 'node:fs/promises'
import { type CsvFault, maxCsvBytes } from '../../core/lib/csv-file.ts'
import { consoleMessages } from '../../templates/messages/catalogues.ts'
import { words } from '../../templates/messages/text.ts'

const csvFaultText = (fault: CsvFault) =>
  words(consoleMessages[`csv.${fault.kind}`], 'en', { megabytes: maxCsvBytes / 1_000_000, ...fault })

/**
 * Reads a CSV file and parses it with `read`.
 * @throws RangeError for a file that cannot be read or is too large
 */
export async function readCsvFile<File>(
  path: string,
  read: (bytes: Uint8Array) => ({ ok: true } & File) | { ok: false; fault: CsvFault },
): Promise<File> {
  const file = (await stat(path)).size > maxCsvBytes ? tooLarge : read(await readFile(path))
  if (!file.ok) throw new RangeError(csvFaultText(file.fault))
  return file
}

const tooLarge = { ok: false, fault: { kind: 'too-large' } } as const
