/** One input of a form with its label, its hint and the place where a complaint about it stands. */
import { make, setText } from './dom.ts'

export type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export type Labelled = {
  element: HTMLElement
  input: Input
  /** Marks the input as wrong and says why; empty text takes that back. */
  complain(text: string): void
}

/** `name` is the path of the field that the input fills; its id follows from it. */
export function labelled(name: string, label: string, hint: string, input: Input): Labelled {
  const id = `field-${name.replaceAll('.', '-')}`
  const advice = make('p', { class: 'field__hint', id: `${id}-hint` }, hint)
  const error = make('p', { class: 'field__error', id: `${id}-error` })
  input.id = id
  input.name = name
  input.setAttribute('aria-describedby', `${id}-hint ${id}-error`)
  const caption = make('label', { for: id }, label)
  const element = make('div', { class: 'field', 'data-field': name }, caption, input, advice, error)
  return {
    element,
    input,
    complain(text) {
      input.setAttribute('aria-invalid', String(text !== ''))
      setText(error, text)
    },
  }
}
