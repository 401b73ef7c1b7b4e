/**
 * The windows of a sale in its form (R7): rows that can be added and taken away. Red packets come
 * in waves.
 */
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { linesText } from '../../lib/basket-words.ts'
import { make, setText } from '../../lib/dom.ts'
import { enteredIn, type Labelled, labelled } from '../../lib/labelled.ts'
import { type Key, type Say, sayFor } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import type { Place } from './field-errors.ts'
import { scheduleFields } from './schedule-fields.ts'
import { readVariant, type VariantText } from './variant-text.ts'
import {
  nextWindowText,
  unitsOfWindow,
  type WindowField,
  type WindowText,
  windowFieldsOf,
  windowInputs,
} from './window-text.ts'

/** `note` says what a window has that differs from the others. */
type Row = { fields: Record<WindowField, Labelled>; units: WindowText['units']; note: HTMLElement }

type Options = {
  kind: SaleKind
  windows: readonly WindowText[]
  /** Their units are those of all windows, but for windows with units of their own (N1). */
  variants: readonly VariantText[]
  /** Why the windows cannot change any more; undefined while they can. */
  lock: Key | undefined
  /** What the sale says without windows; the first one begins with it. */
  sale(): WindowText
  /** Called with whether there are windows, at once and after each redraw of the rows. */
  onChange(hasWindows: boolean): void
}

export function windowRows(
  voice: ConsoleVoice,
  { kind: first, windows, variants: typed, lock, sale, onChange }: Options,
) {
  let kind = first
  let variants = typed
  let say = sayFor(voice, kind)
  let rows: Row[] = []
  const { element, legend, hint, list, error, add } = frame(addRow)
  const schedule = scheduleFields(voice, {
    sample: () => values()[0] ?? nextWindowText([], sale()),
    fill(texts) {
      draw(texts)
      notifyForm()
    },
  })
  hint.after(schedule)
  add.hidden = lock !== undefined
  schedule.hidden = lock !== undefined
  element.hidden = lock !== undefined && windows.length === 0

  function draw(texts: readonly WindowText[]): void {
    setText(legend, say('window.title'))
    setText(hint, say(lock ?? 'window.hint'))
    setText(add, say('window.add'))
    rows = texts.map((text, i) => newRow(say, text, i, lock !== undefined))
    list.replaceChildren(...rows.map(rowElement))
    noteUnits()
    onChange(rows.length > 0)
  }

  function rowElement({ fields, note }: Row, i: number): HTMLElement {
    const n = { n: i + 1 }
    const remove = { type: 'button', class: 'button button--plain', 'data-remove': i }
    const cells = windowFieldsOf(kind, isOfVariants()).map((name) => fields[name].element)
    return make(
      'fieldset',
      { class: `window-row window-row--${kind}` },
      make('legend', {}, say('window.nth', n)),
      ...cells,
      note,
      lock === undefined
        ? make('button', { ...remove, click: () => removeRow(i) }, say('window.remove', n))
        : undefined,
    )
  }

  const isOfVariants = () => kind === 'goods' && variants.length > 0

  function noteUnits(): void {
    for (const row of rows) {
      const units = ownUnits(row)
      row.note.hidden = units === undefined
      setText(row.note, units === undefined ? '' : say('window.ownUnits', { lines: linesOf(units) }))
    }
  }

  /** Undefined for a window with the units of all others. */
  function ownUnits(row: Row): WindowText['units'] {
    const units = isOfVariants() ? unitsOfWindow(textOfRow(row), variants) : undefined
    return units === row.units ? units : undefined
  }

  function linesOf(units: Record<string, number>): string {
    const names = new Map(variants.map(readVariant).map(({ id, name }) => [id, name]))
    return linesText(units, names, voice.locale())
  }

  function addRow(): void {
    const texts = values()
    draw([...texts, nextWindowText(texts, sale())])
    notifyForm()
    rows.at(-1)?.fields.startsAt.input.focus()
  }

  function removeRow(i: number): void {
    draw(values().filter((_, other) => other !== i))
    notifyForm()
    // The button that was pressed is gone; the nearest that does the same keeps the place of the
    // keyboard.
    const nearest = list.querySelector<HTMLElement>(`[data-remove="${Math.min(i, rows.length - 1)}"]`)
    ;(nearest ?? add).focus()
  }

  /** A row that comes or goes changes what was entered, as typing does. */
  function notifyForm(): void {
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function values(): WindowText[] {
    return rows.map(textOfRow)
  }

  draw(windows)
  return {
    element,
    values,
    /** Asks from now on what a sale of that kind says of its windows. */
    follow(other: SaleKind): void {
      kind = other
      say = sayFor(voice, kind)
      draw(values())
    },
    /** The variants of the sale are these from now on. */
    followVariants(others: readonly VariantText[]): void {
      const before = isOfVariants()
      variants = others
      // Typing must not take its input away, and only whether there are any changes the rows.
      if (before !== isOfVariants()) draw(values())
      else noteUnits()
    },
    /** The inputs by the place of their complaints. */
    fields: (): [Place, Labelled][] => rows.flatMap(placesOfRow),
    complain: (text: string) => setText(error, text),
  }
}

/** What stays while the rows are redrawn. */
function frame(click: () => void) {
  const legend = make('legend', {})
  const hint = make('p', { class: 'field__hint', id: 'windows-hint' })
  const list = make('div', { class: 'window-rows__list' })
  const error = make('p', { class: 'field__error', id: 'windows-error' })
  const add = make('button', { type: 'button', class: 'button button--plain', id: 'window-add', click })
  const element = make(
    'fieldset',
    { class: 'window-rows', 'aria-describedby': 'windows-hint windows-error' },
    ...[legend, hint, list, error, add],
  )
  return { element, legend, hint, list, error, add }
}

/** `i` is the row's number from 0, which names its inputs. */
function newRow(say: Say, text: WindowText, i: number, isLocked: boolean): Row {
  const cell = (name: WindowField, label: Key, props: Record<string, string | number>) => {
    const input = make('input', { autocomplete: 'off', ...props, readonly: isLocked })
    input.value = text[name]
    return labelled(`windows.${i}.${name}`, say(label), '', input)
  }
  const time = { type: 'datetime-local', step: 1 }
  const fields = {
    startsAt: cell('startsAt', 'form.startsAt', time),
    endsAt: cell('endsAt', 'form.endsAt', time),
    stock: cell('stock', 'window.stock', { inputmode: 'numeric' }),
    totalAmount: cell('totalAmount', 'window.total', { inputmode: 'decimal' }),
  }
  return { fields, units: text.units, note: make('p', { class: 'field__hint' }) }
}

function textOfRow({ fields, units }: Row): WindowText {
  return {
    startsAt: enteredIn(fields.startsAt.input),
    endsAt: enteredIn(fields.endsAt.input),
    stock: fields.stock.input.value,
    totalAmount: fields.totalAmount.input.value,
    ...(units !== undefined && { units }),
  }
}

function placesOfRow({ fields }: Row, i: number): [Place, Labelled][] {
  return windowInputs.map((name) => [`windows.${i}.${name}`, fields[name]])
}
