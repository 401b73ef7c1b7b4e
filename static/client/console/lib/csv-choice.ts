/** A CSV file that was chosen in a form: its bytes, or what is wrong with it. */
import { type CsvFault, maxCsvBytes } from '../../../../core/lib/csv-file.ts'

/** `file-changed`: the browser reads a file as it was when it was chosen, or not at all. */
type ChoiceFault = { kind: 'no-file' | 'file-changed' }

type Faulty = { ok: false; fault: CsvFault | ChoiceFault }

/** What `read` makes of the file. A large file is refused before it is read. */
export async function fileIn<File>(
  { files }: HTMLInputElement,
  read: (bytes: Uint8Array) => File,
): Promise<File | Faulty> {
  const file = files?.[0]
  if (file === undefined) return { ok: false, fault: { kind: 'no-file' } }
  if (file.size > maxCsvBytes) return { ok: false, fault: { kind: 'too-large' } }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (bytes === undefined) return { ok: false, fault: { kind: 'file-changed' } }
  return read(new Uint8Array(bytes))
}

/** The message for a fault, with its arguments. */
export function fileFaultText(fault: Faulty['fault']) {
  const { kind } = fault
  const args = {
    column: 'column' in fault ? fault.column : '',
    line: 'line' in fault ? fault.line : 0,
    megabytes: maxCsvBytes / 1_000_000,
  }
  return [`csv.${kind}`, args] as const
}
