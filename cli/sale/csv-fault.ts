/** CSV files at the command line, and what is wrong with one in words. */
import { readFile, stat } from 'node:fs/promises'
import { type CsvFault, maxCsvBytes } from '../../core/lib/csv-file.ts'

function csvFaultText(fault: CsvFault): string {
  switch (fault.kind) {
    case 'too-large':
      return `the file is larger than ${maxCsvBytes / 1_000_000} MB: split it`
    case 'not-text':
      return 'the file is not text in UTF-8: in a spreadsheet, save it as "CSV UTF-8"'
    case 'empty':
      return 'the file is empty'
    case 'no-lines':
      return 'the file has no lines below the names of its columns'
    case 'missing-column':
      return `the column ${fault.column} is missing: the first line names the columns`
    case 'double-column':
      return `the column ${fault.column} is there twice`
    case 'unreadable':
      return `line ${fault.line} has more cells than the first one, or a quote that is not closed`
  }
}

/**
 * What `read` makes of a CSV file.
 * @throws RangeError for a file that cannot be read; one that is too large is not read at all
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
