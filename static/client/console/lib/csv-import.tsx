/** The import of a CSV file: the field that reads it, what it would change, and its result. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type CsvFault, maxCsvBytes } from '../../../../core/lib/csv-file.ts'
import { type ChangeCounts, sendChanges } from '../../../../core/lib/slices.ts'
import type { Answer } from '../api.ts'
import { failureText } from '../view.ts'
import { useView } from '../view-place.ts'
import { DataTable } from './data-table.tsx'
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

/** Lines of the table; of a longer one the rest is counted. */
const mostRows = 200

/** `about` is the cell that names the order or shopper, as the file has it. */
type Result = { line: number; about: string; code: string; said: string }

/**
 * The result of the import of a CSV file: a line for each result, and the columns that it does not read. `subject` is
 * the heading over what the lines are about.
 */
type ResultTableProps = {
  subject: 'ship.order' | 'block.value'
  results: readonly Result[]
}

export function ResultTable({ subject, results }: ResultTableProps) {
  const { voice } = useView()
  const more = results.length - mostRows
  return (
    <DataTable
      columns={[
        { heading: voice.t('csv.line'), cell: ({ line }) => line.toLocaleString(voice.locale()) },
        { heading: voice.t(subject), cell: ({ about }) => about },
        { heading: voice.t('csv.result'), cell: ({ said }) => said },
      ]}
      rows={results.slice(0, mostRows)}
      keyOf={({ line }) => line}
      dataOf={({ line, code }) => ({ 'data-line': line, 'data-code': code })}
      below={more > 0 && <p>{voice.t('csv.more', { n: more })}</p>}
    />
  )
}

/** Names the columns of the file that are not read, if there are any. */
export function IgnoredColumns({ columns }: { columns: readonly string[] }) {
  const { voice } = useView()
  if (columns.length === 0) return null
  return <p class="ignored">{voice.t('csv.ignored', { columns: columns.join(', ') })}</p>
}

/** Gives the focus to what a file led to, once it is in the page. */
export const focusResult = (element: HTMLElement | null): void => element?.focus()

/** Calls with at most `most` of `items` each; `busy` says how many are done. */
type Sending<Item> = {
  items: readonly Item[]
  most: number
  call: (some: readonly Item[]) => Promise<Answer<ChangeCounts>>
  busy: (done: number) => string
}

/**
 * Imports of a CSV file into a list: the file is checked and shown before anything changes. Sends the items of a file;
 * undefined once the view was left, or when a call failed, which it announces.
 */
export function useListSender() {
  const { voice, announce, isLeft } = useView()
  return async <Item,>({ items, most, call, busy }: Sending<Item>): Promise<ChangeCounts | undefined> => {
    let trouble: string | undefined
    const say = (done: number) => {
      if (!isLeft()) announce(busy(done))
    }
    say(0)
    const send = async (some: readonly Item[]) => {
      if (isLeft()) return undefined
      const answer = await call(some)
      if (!answer.ok) trouble = failureText(voice, answer.reply)
      return answer.ok ? answer.value : undefined
    }
    const counts = await sendChanges(items, most, send, say)
    if (isLeft()) return undefined
    announce(trouble ?? '')
    return trouble === undefined ? counts : undefined
  }
}

type CheckedFileProps<Code extends string> = {
  id: string
  /** How many items would change, and how many lines are wrong. */
  ready: string
  file: { ignored: readonly string[]; refused: readonly { line: number; text: string; code: Code }[] }
  subject: ResultTableProps['subject']
  lineText: (code: Code) => string
  /** The button that carries the import out; absent where nothing would change. */
  children: ComponentChildren
}

/** What the check of a file has found. */
export function CheckedFile<Code extends string>(props: CheckedFileProps<Code>) {
  const { id, ready, file, subject, lineText, children } = props
  const results = file.refused.map(({ line, text, code }) => ({ line, about: text, code, said: lineText(code) }))
  return (
    <>
      <p id={id} tabIndex={-1} ref={focusResult}>
        {ready}
      </p>
      <IgnoredColumns columns={file.ignored} />
      {results.length > 0 && <ResultTable subject={subject} results={results} />}
      {children && <p class="actions">{children}</p>}
    </>
  )
}
