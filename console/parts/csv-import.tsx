/** Imports a CSV file. Checks it and shows the changes first. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type CsvFault, maxCsvBytes } from '../../core/lib/csv-file.ts'
import type { Answer } from '../api.ts'
import { failureText, useView } from '../view.ts'
import { DataTable } from './data-table.tsx'
import { Field, type FieldProps, fieldInput } from './field.tsx'
import { FoldedPanel } from './folded-panel.tsx'
import { WorkButton } from './work-button.tsx'

/** `file-changed`: browsers cannot read a file that changed since it was chosen. */
type ChoiceFault = { kind: 'no-file' | 'file-changed' }

const megabytes = maxCsvBytes / 1_000_000

type Read<File> = ({ ok: true } & File) | { ok: false; fault: CsvFault | ChoiceFault }

/** A large file is refused before it is read. */
async function fileIn<File>(file: Blob | undefined, read: (bytes: Uint8Array) => Read<File>): Promise<Read<File>> {
  if (file === undefined) return { ok: false, fault: { kind: 'no-file' } }
  if (file.size > maxCsvBytes) return { ok: false, fault: { kind: 'too-large' } }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (bytes === undefined) return { ok: false, fault: { kind: 'file-changed' } }
  return read(new Uint8Array(bytes))
}

/** The most lines in the table; further lines are only counted. */
const maxRows = 200

/** `about` is the cell that names the order or shopper, as the file has it. */
type Result = { line: number; about: string; code: string; said: string }

/** `subject` is the heading over what the lines are about. */
type ResultTableProps = { subject: string; results: readonly Result[] }

function ResultTable({ subject, results }: ResultTableProps) {
  const { voice } = useView()
  const more = results.length - maxRows
  return (
    <DataTable
      columns={[
        { heading: voice.t('csv.line'), cell: ({ line }) => line.toLocaleString(voice.locale()) },
        { heading: subject, cell: ({ about }) => about },
        { heading: voice.t('csv.result'), cell: ({ said }) => said },
      ]}
      rows={results.slice(0, maxRows)}
      keyOf={({ line }) => line}
      dataOf={({ line, code }) => ({ 'data-line': line, 'data-code': code })}
      below={more > 0 && <p>{voice.t('csv.more', { n: more })}</p>}
    />
  )
}

/** Focuses the result once it is in the page. */
const focusResult = (element: HTMLElement | null): void => element?.focus()

/**
 * Sends the parts of a file sequentially with `sendAll`. Announces the progress with `busy`, and a failure. `isComplete`: no
 * call failed. Undefined once the view was left.
 */
export function useSender() {
  const { voice, announce, isLeft } = useView()
  return async <Part, Value, Sent>(
    busy: (done: number) => string,
    call: (part: Part) => Promise<Answer<Value>>,
    sendAll: (send: (part: Part) => Promise<Value | undefined>, onProgress: (done: number) => void) => Promise<Sent>,
  ): Promise<{ sent: Sent; isComplete: boolean } | undefined> => {
    let trouble: string | undefined
    const say = (done: number) => {
      if (!isLeft()) announce(busy(done))
    }
    say(0)
    const send = async (part: Part) => {
      if (isLeft()) return undefined
      const answer = await call(part)
      if (!answer.ok) trouble = failureText(voice, answer.reply)
      return answer.ok ? answer.value : undefined
    }
    const sent = await sendAll(send, say)
    if (isLeft()) return undefined
    announce(trouble ?? '')
    return { sent, isComplete: trouble === undefined }
  }
}

/** The result of an import, with the lines to show. */
type Done = { text: string; results: readonly Result[] }

/** The result of a check. `ready` states the number of changes and of invalid lines. */
type Checked = {
  ready: string
  results: readonly Result[]
  ignored: readonly string[]
  /** Runs the import; absent if nothing would change. Undefined after a failure, and once the view was left. */
  act?: { label: string; look: 'main' | 'danger'; effect?: string; work(): Promise<Done | undefined> } | undefined
}

type Props<File> = {
  /** The prefix of the ids in the panel. */
  name: string
  panel: { id: string; title: string; text: string; isHidden?: boolean }
  field: FieldProps
  checkLabel: string
  subject: string
  read(bytes: Uint8Array): Read<File>
  /** Undefined after a failure, and once the view was left. */
  check(file: File): Promise<Checked | undefined>
}

export function CsvImport<File>(props: Props<File>) {
  const { name, panel, field, checkLabel, subject, read, check } = props
  const { voice, announce } = useView()
  const [result, setResult] = useState<ComponentChildren>()
  const [error, setError] = useState('')
  const input = useRef<HTMLInputElement>(null)

  async function look(): Promise<void> {
    setResult(undefined)
    announce('')
    const file = await fileIn(input.current?.files?.[0], read)
    setError(file.ok ? '' : voice.t(`csv.${file.fault.kind}`, { megabytes, ...file.fault }))
    if (!file.ok) return input.current?.focus()
    const checked = await check(file)
    if (checked === undefined) return
    const { ready, results, ignored, act } = checked
    setResult(
      <>
        <p id={`${name}-ready`} tabIndex={-1} ref={focusResult}>
          {ready}
        </p>
        {ignored.length > 0 && <p class="ignored">{voice.t('csv.ignored', { columns: ignored.join(', ') })}</p>}
        {results.length > 0 && <ResultTable subject={subject} results={results} />}
        {act?.effect !== undefined && <p id={`${name}-effect`}>{act.effect}</p>}
        {act !== undefined && (
          <p class="actions">
            <WorkButton id={`${name}-do`} look={act.look} work={() => carryOut(act.work)}>
              {act.label}
            </WorkButton>
          </p>
        )}
      </>,
    )
  }

  async function carryOut(work: () => Promise<Done | undefined>): Promise<void> {
    const done = await work()
    if (done === undefined) return
    setResult(
      <>
        <p id={`${name}-done`}>{done.text}</p>
        {done.results.length > 0 && <ResultTable subject={subject} results={done.results} />}
      </>,
    )
  }
  return (
    <FoldedPanel {...panel}>
      <div class="shipments">
        <Field {...field} error={error}>
          <input type="file" accept=".csv,text/csv" {...fieldInput(field.name, error)} ref={input} />
        </Field>
        <p class="actions">
          <WorkButton id={`${name}-check`} look="plain" work={look}>
            {checkLabel}
          </WorkButton>
        </p>
        <div class="shipments__result" id={`${name}-result`}>
          {result}
        </div>
      </div>
    </FoldedPanel>
  )
}
