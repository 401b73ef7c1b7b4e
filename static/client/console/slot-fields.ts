/** The windows of a sale in its form (R7): rows that can be added and taken away. */
import { make, setText } from '../dom.ts'
import type { Place } from './field-errors.ts'
import { type Labelled, labelled } from './labelled.ts'
import { nextSlotText, type SlotField, type SlotText, slotFields } from './slot-text.ts'
import type { ConsoleVoice } from './view.ts'

type Row = Record<SlotField, Labelled>

type Options = {
  slots: readonly SlotText[]
  locked: boolean
  /** What the sale says without windows; the first one begins with it. */
  sale(): SlotText
  /** Called with whether there are windows, at once and whenever that changes. */
  onChange(hasSlots: boolean): void
}

export function slotRows(voice: ConsoleVoice, { slots, locked, sale, onChange }: Options) {
  let rows: Row[] = []
  const list = make('div', { class: 'slots__rows' })
  const error = make('p', { class: 'field__error', id: 'slots-error' })
  const add = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'slot-add', click: addRow },
    voice.t('slot.add'),
  )
  const hint = voice.t(locked ? 'form.locked' : 'slot.hint')
  const element = make(
    'fieldset',
    { class: 'slots', 'aria-describedby': 'slots-hint slots-error' },
    make('legend', {}, voice.t('slot.title')),
    make('p', { class: 'field__hint', id: 'slots-hint' }, hint),
    list,
    error,
    ...(locked ? [] : [add]),
  )
  element.hidden = locked && slots.length === 0

  function draw(texts: readonly SlotText[]): void {
    rows = texts.map(newRow)
    list.replaceChildren(...rows.map(rowElement))
    onChange(rows.length > 0)
  }

  function newRow(text: SlotText, i: number): Row {
    const cell = (name: SlotField, label: string, props: Record<string, string | number>) => {
      const input = make('input', { autocomplete: 'off', ...props, readonly: locked })
      input.value = text[name]
      return labelled(`slots.${i}.${name}`, label, '', input)
    }
    const time = { type: 'datetime-local', step: 1 }
    return {
      startsAt: cell('startsAt', voice.t('form.startsAt'), time),
      endsAt: cell('endsAt', voice.t('form.endsAt'), time),
      stock: cell('stock', voice.t('slot.stock'), { inputmode: 'numeric' }),
    }
  }

  function rowElement(row: Row, i: number): HTMLElement {
    const n = { n: i + 1 }
    const click = () => removeRow(i)
    const label = voice.t('slot.remove', n)
    const remove = make(
      'button',
      { type: 'button', class: 'button button--plain', 'data-remove': i, click },
      label,
    )
    return make(
      'fieldset',
      { class: 'slot' },
      make('legend', {}, voice.t('slot.nth', n)),
      ...slotFields.map((name) => row[name].element),
      ...(locked ? [] : [remove]),
    )
  }

  function addRow(): void {
    const texts = values()
    draw([...texts, nextSlotText(texts, sale())])
    rows.at(-1)?.startsAt.input.focus()
  }

  function removeRow(i: number): void {
    draw(values().filter((_, other) => other !== i))
    // The button that was pressed is gone; the nearest that does the same keeps the place of the keyboard.
    const nearest = list.querySelector<HTMLElement>(`[data-remove="${Math.min(i, rows.length - 1)}"]`)
    ;(nearest ?? add).focus()
  }

  function values(): SlotText[] {
    return rows.map(({ startsAt, endsAt, stock }) => ({
      startsAt: startsAt.input.value,
      endsAt: endsAt.input.value,
      stock: stock.input.value,
    }))
  }

  draw(slots)
  return {
    element,
    values,
    /** The inputs by the place of their complaints. */
    fields: (): [Place, Labelled][] =>
      rows.flatMap((row, i) =>
        slotFields.map((name): [Place, Labelled] => [`slots.${i}.${name}`, row[name]]),
      ),
    complain: (text: string) => setText(error, text),
  }
}
