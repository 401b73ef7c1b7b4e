/** The inputs of the sale form, each with its label, hint and place for a complaint. */
import { editableOnceStarted } from '../../../core/sale.ts'
import { make, setText } from '../dom.ts'
import type { ConsoleSale } from './read.ts'
import { slugOf } from './typed.ts'
import { type FieldName, type FormErrors, type FormText, fieldNames } from './values.ts'
import type { ConsoleVoice } from './view.ts'

type Input = HTMLInputElement | HTMLTextAreaElement
type Key = Parameters<ConsoleVoice['t']>[0]

/** Fields filled with `text`; those that `sale` no longer lets change are read-only. */
export function formFields(voice: ConsoleVoice, text: FormText, sale: ConsoleSale | undefined) {
  const places = new Map<FieldName, { input: Input; error: HTMLElement }>()

  return {
    field(name: FieldName, label: Key, props: Record<string, string | number> = {}, hint = ''): HTMLElement {
      const id = `field-${name.replaceAll('.', '-')}`
      const locked = isLocked(name, sale)
      const input = make(name === 'description' ? 'textarea' : 'input', {
        id,
        name,
        autocomplete: 'off',
        'aria-describedby': `${id}-hint ${id}-error`,
        ...props,
        readonly: locked,
      })
      input.value = text[name]
      const error = make('p', { class: 'field__error', id: `${id}-error` })
      places.set(name, { input, error })
      const note = locked && name !== 'saleId' ? voice.t(lockReason(name, sale)) : hint
      return make(
        'div',
        { class: 'field', 'data-field': name },
        make('label', { for: id }, voice.t(label)),
        input,
        make('p', { class: 'field__hint', id: `${id}-hint` }, note),
        error,
      )
    },

    input: (name: FieldName): Input | undefined => places.get(name)?.input,

    values(): FormText {
      const entered = { ...text }
      for (const name of fieldNames) entered[name] = places.get(name)?.input.value ?? ''
      return entered
    },

    /** Shows every error at its field and clears the rest; the first wrong input gets the focus. */
    complain(errors: FormErrors): void {
      let first: Input | undefined
      for (const [name, { input, error }] of places) {
        const wrong = errors[name]
        input.setAttribute('aria-invalid', String(wrong !== undefined))
        setText(error, wrong === undefined ? '' : voice.t(wrong.key, wrong.args))
        if (wrong !== undefined) first ??= input
      }
      first?.focus()
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

function isLocked(name: FieldName, sale: ConsoleSale | undefined): boolean {
  if (sale === undefined) return false
  if (name === 'saleId' || (name === 'stock' && sale.warmed)) return true
  const editable: readonly string[] = editableOnceStarted
  return sale.epoch > 0 && !editable.includes(name.split('.')[0] ?? '')
}

function lockReason(name: FieldName, sale: ConsoleSale | undefined): Key {
  return name === 'stock' && sale?.warmed ? 'form.onShelf' : 'form.locked'
}
