/** A list that staff keep for the whole shop, such as the block list: what it is for, the form of a new entry, and the entries. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../api.ts'
import { useView } from '../view.ts'
import { type Asked, announcedCall, askBefore } from './ask-before.ts'
import { focusField } from './field.tsx'
import { BackLink } from './work-button.tsx'

/** What a call for the list says once it is `said` and done, after the question `asked`, and the field where the keyboard goes on. */
type Change = { asked?: Asked; said: string; next?: string }

/** The entries of a list, undefined before they are read; `look` reads them again. */
export function useNamedList<Read, Entry>(
  read: () => Promise<Answer<Read>>,
  entriesOf: (read: Read) => readonly Entry[],
) {
  const context = useView()
  const { explain, isLeft, announce } = context
  const [entries, setEntries] = useState<readonly Entry[]>()

  async function look(): Promise<void> {
    if (isLeft()) return
    const answer = await read()
    if (isLeft()) return
    if (answer.ok) setEntries(entriesOf(answer.value))
    else explain(answer.reply)
  }

  /** Makes a call that changes the list, and reads it again. Undefined where it was not made, or failed. */
  async function change<T>(call: () => Promise<Answer<T>>, { asked, said, next }: Change): Promise<T | undefined> {
    if (asked !== undefined && !(await askBefore(context.voice, asked))) return undefined
    const done = await announcedCall(context, call())
    if (done !== undefined) announce(said)
    await look()
    // A row goes with its button.
    if (done !== undefined && next !== undefined) focusField(next)
    return done
  }

  useEffect(() => void look(), [])
  return { entries, look, change }
}

type Props<Entry> = {
  /** Of the element with the entries. */
  id: string
  title: string
  text: string
  /** Said of a list without entries. */
  empty: string
  entries: readonly Entry[] | undefined
  /** The form of a new entry, for staff who may add one. */
  form: ComponentChildren
  /** What is between the form and the entries. */
  between?: ComponentChildren
  children(entries: readonly Entry[]): ComponentChildren
}

export function NamedList<Entry>({ id, title, text, empty, entries, form, between, children }: Props<Entry>) {
  const { voice } = useView()
  return (
    <>
      <BackLink to="#/settings" text={voice.t('console.settings')} />
      <h1>{title}</h1>
      <section class="panel">
        <p class="note">{text}</p>
        {form}
      </section>
      {between}
      <div id={id}>
        {entries?.length === 0 && <p class="empty">{empty}</p>}
        {entries !== undefined && entries.length > 0 && children(entries)}
      </div>
    </>
  )
}
