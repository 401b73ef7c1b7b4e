/** The inputs of the sale form that stand alone, and what helps to fill them in. */

import type { Sale } from '../../../core/sale.ts'
import { make, setText } from '../dom.ts'
import { type FieldName, type FormText, fieldNames, isAskedFor } from './form-text.ts'
import { type Key, sayFor } from './kind-words.ts'
import { enteredIn, type Input, type Labelled, labelled } from './labelled.ts'
import { lockOf } from './locks.ts'
import { suggestedId } from './typed.ts'
import type { ConsoleVoice } from './view.ts'

type Props = Record<string, string | number>

/** Fields filled with `text`; those that `sale` no longer lets change are read-only. */
export function formFields(voice: ConsoleVoice, text: FormText, sale: Sale | undefined) {
  const fields = new Map<FieldName, Labelled>()
  const labels = new Map<FieldName, Key>()

  function place(name: FieldName, label: Key, input: Input, hint: string): HTMLElement {
    input.value = text[name]
    const field = labelled(name, voice.t(label), hint, input)
    fields.set(name, field)
    labels.set(name, label)
    return field.element
  }

  return {
    fields,

    field(name: FieldName, label: Key, props: Props = {}, hint = ''): HTMLElement {
      const lock = lockOf(name, sale)
      const kind = name === 'description' ? 'textarea' : 'input'
      const input = make(kind, { autocomplete: 'off', ...props, readonly: lock !== undefined })
      return place(name, label, input, lock === undefined || name === 'saleId' ? hint : voice.t(lock))
    },

    /** A choice among `options`, value to label. */
    choice(name: FieldName, label: Key, options: Readonly<Record<string, Key>>, hint: string): HTMLElement {
      const items = Object.entries(options).map(([value, key]) => make('option', { value }, voice.t(key)))
      const disabled = lockOf(name, sale) !== undefined
      return place(name, label, make('select', { disabled }, ...items), hint)
    },

    input: (name: FieldName): Input | undefined => fields.get(name)?.input,

    /** Shows the fields that this kind of sale has, in its words; its windows replace some of them. */
    show(kind: FormText['kind'], hasWindows: boolean): void {
      const say = sayFor(voice, kind)
      for (const [name, label] of labels) fields.get(name)?.rename(say(label))
      for (const [name, { element }] of fields) element.hidden = !isAskedFor(name, kind, hasWindows)
    },

    values(): Record<FieldName, string> {
      const entered = { ...text }
      for (const name of fieldNames) {
        const input = fields.get(name)?.input
        entered[name] = input === undefined ? '' : enteredIn(input)
      }
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
    if (!own && id !== undefined) id.value = suggestedId(title.value, new Date())
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
