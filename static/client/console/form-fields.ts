/** The inputs of the sale form that stand alone, and what helps to fill them in. */
import { editableOnceStarted } from '../../../core/sale.ts'
import { make, setText } from '../dom.ts'
import { type FieldName, type FormText, fieldNames } from './form-text.ts'
import { type Input, type Labelled, labelled } from './labelled.ts'
import type { ConsoleSale } from './read.ts'
import { slugOf } from './typed.ts'
import type { ConsoleVoice } from './view.ts'

export type Key = Parameters<ConsoleVoice['t']>[0]
type Props = Record<string, string | number>

/** Fields filled with `text`; those that `sale` no longer lets change are read-only. */
export function formFields(voice: ConsoleVoice, text: FormText, sale: ConsoleSale | undefined) {
  const fields = new Map<FieldName, Labelled>()

  function place(name: FieldName, label: Key, input: Input, hint: string): HTMLElement {
    input.value = text[name]
    const field = labelled(name, voice.t(label), hint, input)
    fields.set(name, field)
    return field.element
  }

  return {
    fields,

    field(name: FieldName, label: Key, props: Props = {}, hint = ''): HTMLElement {
      const locked = isLocked(name, sale)
      const kind = name === 'description' ? 'textarea' : 'input'
      const input = make(kind, { autocomplete: 'off', ...props, readonly: locked })
      return place(name, label, input, locked && name !== 'saleId' ? voice.t(lockReason(name, sale)) : hint)
    },

    /** A choice among `options`, value to label. */
    choice(name: FieldName, label: Key, options: Readonly<Record<string, Key>>, hint: string): HTMLElement {
      const items = Object.entries(options).map(([value, key]) => make('option', { value }, voice.t(key)))
      return place(name, label, make('select', { disabled: isLocked(name, sale) }, ...items), hint)
    },

    input: (name: FieldName): Input | undefined => fields.get(name)?.input,

    values(): Record<FieldName, string> {
      const entered = { ...text }
      for (const name of fieldNames) entered[name] = fields.get(name)?.input.value ?? ''
      return entered
    },
  }
}

/** The id follows the title until the marketer writes one. */
export function suggestId(title: Input | undefined, id: Input | undefined): void {
  let own = false
  id?.addEventListener('input', () => {
    own = id.value !== ''
  })
  title?.addEventListener('input', () => {
    if (!own && id !== undefined) id.value = slugOf(title.value)
  })
}

/** Shows the picture that the input names, and says when it does not load. */
export function picturePreview(voice: ConsoleVoice, image: Input | undefined): HTMLElement {
  const picture = make('img', { class: 'preview', id: 'preview', alt: '', width: 320, height: 320 })
  const note = make('p', { class: 'field__hint' })
  const look = () => {
    setText(note, '')
    picture.src = image?.value ?? ''
  }
  picture.addEventListener('error', () => setText(note, voice.t('form.imageBroken')))
  image?.addEventListener('change', look)
  look()
  return make('div', {}, picture, note)
}

/** Whether `sale` no longer lets the field change; `slots` are all its windows. */
export function isLocked(name: FieldName | 'slots', sale: ConsoleSale | undefined): boolean {
  if (sale === undefined) return false
  if (name === 'saleId' || (name === 'stock' && sale.warmed)) return true
  const editable: readonly string[] = editableOnceStarted
  return sale.epoch > 0 && !editable.includes(name.split('.')[0] ?? '')
}

function lockReason(name: FieldName, sale: ConsoleSale | undefined): Key {
  return name === 'stock' && sale?.warmed ? 'form.onShelf' : 'form.locked'
}
