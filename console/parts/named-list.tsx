/** Manages a list of the shop, such as the block list: its form and its entries. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FailedReply } from '../../client/http.ts'
import type { Answer } from '../api.ts'
import { failureText, useView } from '../view.ts'
import { type Asked, announcedCall, askBefore } from './ask-before.ts'
import { useEntryForm } from './entry-form.ts'
import { type FieldProps, Form, focusField, SubmitButton } from './field.tsx'
import type { Key } from './kind-words.ts'
import { Pending } from './pending.tsx'
import type { Row } from './text-parts.ts'
import { BackLink, PlainButton, WorkButton } from './work-button.tsx'

/** A change to the list: the confirmation `asked`, the announcement `said`, and the field `next` that gets the focus. */
type Change = { asked?: Asked; said: string; next?: string }

/** Returns the entries of a list, undefined before they are read; `look` reads them again. */
export function useNamedList<Read, Entry>(
  read: () => Promise<Answer<Read>>,
  entriesOf: (read: Read) => readonly Entry[],
) {
  const context = useView()
  const { explain, isLeft, announce } = context
  const [entries, setEntries] = useState<readonly Entry[]>()
  const [hasFailed, setFailed] = useState(false)

  async function look(): Promise<void> {
    if (isLeft()) return
    const answer = await read()
    if (isLeft()) return
    setFailed(!answer.ok)
    if (answer.ok) setEntries(entriesOf(answer.value))
    else explain(answer.reply)
  }

  /** Makes a call that changes the list, and reads it again. Undefined if it was cancelled or failed. */
  async function change<T>(call: () => Promise<Answer<T>>, { asked, said, next }: Change): Promise<T | undefined> {
    if (asked !== undefined && !(await askBefore(context.voice, asked))) return undefined
    const done = await announcedCall(context, call())
    if (done !== undefined) announce(said)
    await look()
    // The button disappears with its row.
    if (done !== undefined && next !== undefined) focusField(next)
    return done
  }

  useEffect(() => void look(), [])
  return { entries, hasFailed, look, change }
}

type Props<Entry> = {
  /** The id of the element with the entries. */
  id: string
  title: string
  text: string
  /** The text for an empty list. */
  empty: string
  entries: readonly Entry[] | undefined
  hasFailed: boolean
  look(): Promise<void>
  /** The form of a new entry, for staff who may add one. */
  form: ComponentChildren
  /** Content between the form and the entries. */
  between?: ComponentChildren
  children(entries: readonly Entry[]): ComponentChildren
}

export function NamedList<Entry>(props: Props<Entry>) {
  const { id, title, text, empty, entries, hasFailed, look, form, between, children } = props
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
        {entries === undefined && <Pending {...{ hasFailed }} again={look} />}
        {entries?.length === 0 && <p class="empty">{empty}</p>}
        {entries !== undefined && entries.length > 0 && children(entries)}
      </div>
    </>
  )
}

type WithWords<K> = K extends `${infer List}.removeEffect` ? List : never

/** The input for the API, or the invalid field and the reason. */
export type EntryRead<Field, Input> = { ok: true; name: string; input: Input } | { ok: false; field: Field; words: Key }

type Named = { name: string }
type Description<Read, Entry, Texts, Field, Input> = {
  /** The prefix of its message keys and field names. */
  list: WithWords<Key>
  /** The prefix of the ids of the form and its button; with an s that of the entries. */
  id: string
  all(): Promise<Answer<Read>>
  entriesOf(read: Read): readonly Entry[]
  save(entry: Named & { body: NoInfer<Input> }): Promise<Answer<unknown>>
  remove(entry: Named): Promise<Answer<unknown>>
  nothing: Texts
  words(field: Field): Pick<FieldProps, 'label' | 'hint'>
  read(texts: Texts): EntryRead<Field, Input>
  askToSave?(name: string, input: Input, isKnown: boolean): Asked
  /** The field that a refusal is about, and why it was refused. */
  fault?(refused: FailedReply, texts: Texts): readonly [field: Field, why: string] | undefined
}

/** Returns a list of named entries with a form. Asks before unsaved input is discarded. */
export function useNamedEntries<Read, Entry extends Named, Texts extends Row & Named, Field extends string, Input>(
  description: Description<Read, Entry, Texts, Field, Input>,
) {
  const { voice, keep, announce, isLeft } = useView()
  const { list, id, nothing } = description
  const { entries, hasFailed, look, change } = useNamedList(description.all, description.entriesOf)
  const [first, setFirst] = useState(nothing)
  const [texts, enter] = useState(nothing)
  const { complain, input } = useEntryForm(`${list}.`, description.words, texts, enter)
  const isKnown = entries?.some(({ name }) => name === texts.name.trim()) === true
  keep(() => JSON.stringify(texts) !== JSON.stringify(first))

  function begin(next: Texts, field: Field | 'name'): void {
    setFirst(next)
    enter(next)
    focusField(`${list}.${field}`)
  }

  async function send(): Promise<void> {
    const read = description.read(texts)
    if (!read.ok) return complain(read.field, voice.t(read.words))
    const { name, input: body } = read
    const asked = description.askToSave?.(name, body, isKnown)
    if (asked !== undefined && !(await askBefore(voice, asked))) return
    announce(voice.t('do.working'))
    const answer = await description.save({ name, body })
    if (isLeft()) return
    if (!answer.ok) {
      const fault = description.fault?.(answer.reply, texts)
      return fault === undefined ? announce(failureText(voice, answer.reply)) : complain(...fault)
    }
    announce(voice.t(`${list}.saved`, { name }))
    begin(nothing, 'name')
    await look()
  }

  function remove(name: string) {
    const choice = { value: 'remove', label: voice.t('named.remove'), kind: 'danger' } as const
    const asked = { title: voice.t(`${list}.removeAsk`, { name }), effects: [voice.t(`${list}.removeEffect`)], choice }
    const said = voice.t(`${list}.removed`, { name })
    return change(() => description.remove({ name }), { asked, said, next: `${list}.name` })
  }

  return {
    ...{ change, texts, enter, input, isKnown, begin },
    page: { id: `${id}s`, entries, hasFailed, look, text: voice.t(`${list}.lead`), empty: voice.t(`${list}.empty`) },
    form: (fields: ComponentChildren) => (
      <Form class="form" id={`${id}-form`} submit={send}>
        {fields}
        <SubmitButton id={`${id}-save`}>{voice.t(`${list}.save`)}</SubmitButton>
      </Form>
    ),
    changeButton: (name: string, press: () => void) => (
      <PlainButton aria-label={voice.t('named.changeOf', { name })} data-change={name} onClick={press}>
        {voice.t('named.change')}
      </PlainButton>
    ),
    removeButton: (name: string) => (
      <WorkButton
        {...{ look: 'danger', 'data-remove': name }}
        aria-label={voice.t('named.removeOf', { name })}
        work={() => remove(name)}
      >
        {voice.t('named.remove')}
      </WorkButton>
    ),
  }
}
