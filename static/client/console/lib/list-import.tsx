/** Imports of a CSV file into a list: the file is checked and shown before anything changes. */
import type { ComponentChildren } from 'preact'
import { type ChangeCounts, sendChanges } from '../../../../core/lib/slices.ts'
import type { Answer } from '../api.ts'
import { failureText } from '../view.ts'
import { useView } from '../view-place.ts'
import { focusResult, IgnoredColumns, ResultTable, type ResultTableProps } from './import-result.tsx'

/** Calls with at most `most` of `items` each; `busy` says how many are done. */
type Sending<Item> = {
  items: readonly Item[]
  most: number
  call: (some: readonly Item[]) => Promise<Answer<ChangeCounts>>
  busy: (done: number) => string
}

/** Sends the items of a file; undefined once the view was left, or when a call failed, which it announces. */
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
  const results = file.refused.map(({ line, text, code }) => ({
    ...{ line, about: text, code },
    said: lineText(code),
  }))
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
