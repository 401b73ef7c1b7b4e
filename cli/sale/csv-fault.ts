/** What is wrong with a CSV file, in words for the command line. */
import { readFile, stat } from 'node:fs/promises'
import { type CsvFault, maxCsvBytes } from '../../core/lib/csv-file.ts'

export function csvFaultText(fault: CsvFault): string {
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
 * The bytes of a CSV file.
 * @throws RangeError for one that is too large, before it is read
 */
export async function readCsvBytes(file: string): Promise<Uint8Array> {
  if ((await stat(file)).size > maxCsvBytes) throw new RangeError(csvFaultText({ kind: 'too-large' }))
  return readFile(file)
}
