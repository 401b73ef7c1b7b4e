/** The field for a CSV file: reads what was chosen, or says what is wrong with it. */
import { useRef, useState } from 'preact/hooks'
import { type CsvFault, maxCsvBytes } from '../../../../core/lib/csv-file.ts'
import { useView } from '../view-place.ts'
import { Field, type FieldProps, fieldInput } from './field.tsx'

/** `file-changed`: the browser reads a file as it was when it was chosen, or not at all. */
type ChoiceFault = { kind: 'no-file' | 'file-changed' }

type Faulty = { ok: false; fault: CsvFault | ChoiceFault }

/** The field, and what `read` makes of its file: undefined for one that is wrong, of which the field then says why. */
export function useCsvField<Read extends { ok: true } | Faulty>(field: FieldProps, read: (bytes: Uint8Array) => Read) {
  const { voice } = useView()
  const [error, setError] = useState('')
  const input = useRef<HTMLInputElement>(null)

  async function readFile(): Promise<Exclude<Read, Faulty> | undefined> {
    const file = await fileIn(input.current?.files?.[0], read)
    setError('fault' in file ? voice.t(...fileFaultText(file.fault)) : '')
    if (isRead(file)) return file
    input.current?.focus()
    return undefined
  }
  const element = (
    <Field {...field} error={error}>
      <input type="file" accept=".csv,text/csv" {...fieldInput(field.name, error)} ref={input} />
    </Field>
  )
  return [element, readFile] as const
}

const isRead = <Read extends { ok: boolean }>(file: Read | Faulty): file is Exclude<Read, Faulty> => file.ok

/** A large file is refused before it is read. */
async function fileIn<Read>(file: Blob | undefined, read: (bytes: Uint8Array) => Read): Promise<Read | Faulty> {
  if (file === undefined) return { ok: false, fault: { kind: 'no-file' } }
  if (file.size > maxCsvBytes) return { ok: false, fault: { kind: 'too-large' } }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (bytes === undefined) return { ok: false, fault: { kind: 'file-changed' } }
  return read(new Uint8Array(bytes))
}

/** The message for a fault, with its arguments. */
function fileFaultText(fault: Faulty['fault']) {
  const { kind } = fault
  const args = {
    column: 'column' in fault ? fault.column : '',
    line: 'line' in fault ? fault.line : 0,
    megabytes: maxCsvBytes / 1_000_000,
  }
  return [`csv.${kind}`, args] as const
}
