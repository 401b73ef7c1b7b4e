/** Lists of a form with rows that can be added and taken away, one by one or all at once. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Arguments } from '../../templates/messages/text.ts'
import { useEntryForm, useFocusLater } from '../parts/entry-form.ts'
import { TextField } from '../parts/field.tsx'
import type { Key } from '../parts/kind-words.ts'
import type { Row } from '../parts/text-parts.ts'
import { PlainButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'

type ListProps = {
  /** The name of the list in the API, and what a row is. */
  list: string
  one: string
  rows: readonly Row[]
  enter(rows: readonly Row[]): void
  say(word: 'title' | 'hint' | 'nth' | 'remove' | 'add', args?: Arguments): string
  /** The most rows. */
  max: number
  /** Returns the initial texts of a new row. */
  next(): Row
  /** Why the list can no longer change. */
  lock?: Key | undefined
  /** The error of the list. */
  error?: string
  isHidden?: boolean
  /** The control that fills in all rows at once. */
  aid?: ComponentChildren
  /** A note about all rows. */
  note?: ComponentChildren
  /** The inputs of a row. */
  children(i: number): ComponentChildren
}

export function RowList(props: ListProps) {
  const { list, one, rows, enter, say, max, next, lock, error, isHidden, aid, note, children } = props
  const { voice } = useView()
  const place = useRef<HTMLFieldSetElement>(null)
  const focusLater = useFocusLater()
  const find = (selector: string) => place.current?.querySelector<HTMLElement>(selector)

  function add(): void {
    enter([...rows, next()])
    focusLater(() => find('.window-row:last-child input'))
  }
  function remove(i: number): void {
    enter(rows.toSpliced(i, 1))
    // The button that was pressed is gone; the nearest that does the same keeps the place of the keyboard.
    const nearest = Math.min(i, rows.length - 2)
    focusLater(() => find(`[data-remove="${nearest}"]`) ?? find(`#${one}-add`))
  }
  return (
    <fieldset class="window-rows" aria-describedby={`${list}-hint ${list}-error`} hidden={isHidden} ref={place}>
      <legend>{say('title')}</legend>
      <p class="field__hint" id={`${list}-hint`}>
        {lock ? voice.t(lock) : say('hint')}
      </p>
      {lock === undefined && aid}
      <div class="window-rows__list">
        {rows.map((_, i) => (
          <fieldset key={i} class={`grid window-row ${one}-row`}>
            <legend>{say('nth', { n: i + 1 })}</legend>
            {children(i)}
            {lock === undefined && (
              <PlainButton data-remove={i} onClick={() => remove(i)}>
                {say('remove', { n: i + 1 })}
              </PlainButton>
            )}
          </fieldset>
        ))}
      </div>
      {note}
      <p class="field__error" id={`${list}-error`}>
        {error}
      </p>
      {lock === undefined && (
        <PlainButton id={`${one}-add`} hidden={rows.length >= max} onClick={add}>
          {say('add')}
        </PlainButton>
      )}
    </fieldset>
  )
}

/** Rows, or which text is wrong and why. */
export type Filled<Name extends string> = { rows: readonly Row[] } | { wrong: Name; key: Key; args?: Arguments }

type FillProps<Name extends string> = {
  id: string
  say(word: Name | 'title' | 'fill' | 'filled', args?: Arguments): string
  inputs: Readonly<Record<Name, { hint?: string; type?: 'date'; inputmode?: 'numeric' }>>
  read(texts: Readonly<Record<Name, string>>): Filled<Name>
  fill(rows: readonly Row[]): void
}

/** A few texts that make all rows of a list, folded at first. The rows are their preview: they can be changed before the sale is saved. */
export function FillAid<Name extends string>({ id, say, inputs, read, fill }: FillProps<Name>) {
  const { voice } = useView()
  const names = Object.keys(inputs) as Name[]
  const [texts, setTexts] = useState(() => Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>)
  const [filled, setFilled] = useState<number>()
  const words = (name: Name) => ({ label: say(name), hint: inputs[name].hint })
  const { complain, input } = useEntryForm(`${id}.`, words, texts, setTexts)

  function press(): void {
    const made = read(texts)
    setFilled('rows' in made ? made.rows.length : undefined)
    if ('rows' in made) fill(made.rows)
    else complain(made.wrong, voice.t(made.key, made.args))
  }
  /** Cells of a table become a list; an input would join those of a column. */
  function paste(name: Name, event: ClipboardEvent & { currentTarget: HTMLInputElement }): void {
    const { currentTarget: box, clipboardData } = event
    const pasted = clipboardData?.getData('text') ?? ''
    const cells = pasted.trim().replaceAll(/[\t\r\n]+/g, ', ')
    if (!cells.includes(', ')) return
    event.preventDefault()
    box.setRangeText(cells, box.selectionStart ?? 0, box.selectionEnd ?? 0, 'end')
    input(name).enter(box.value)
  }
  return (
    <details class="more schedule" id={id}>
      <summary>{say('title')}</summary>
      <div class="schedule__body">
        <div class="grid window-row">
          {names.map((name) => {
            const { hint: _, ...attributes } = inputs[name]
            return (
              <TextField
                key={name}
                {...attributes}
                {...input(name)}
                onPaste={attributes.type === undefined ? (event) => paste(name, event) : undefined}
                autocomplete="off"
              />
            )
          })}
        </div>
        <PlainButton id={`${id}-fill`} onClick={press}>
          {say('fill')}
        </PlainButton>
        <p class="field__hint" role="status">
          {filled !== undefined && say('filled', { n: filled })}
        </p>
      </div>
    </details>
  )
}
