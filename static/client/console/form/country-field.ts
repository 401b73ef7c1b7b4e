/** The countries of a sale in its form: a list of those that are chosen, and a choice of one more. */
import { countryChoices } from '../../../../core/people/country.ts'
import { maxCountries } from '../../../../core/sale/settings.ts'
import { make } from '../../lib/dom.ts'
import { countryCodes } from '../lib/typed.ts'
import type { ConsoleVoice } from '../view.ts'

export type CountryField = {
  /** The select of one more country. */
  input: HTMLSelectElement
  /** Puts the list and its button around the select; call it once the select has its label. */
  place(): void
  /** The codes as the form's text, one that is selected but not added yet included. */
  value(): string
}

/** `text` has the codes at first; a locked list cannot be changed. */
export function countryField(voice: ConsoleVoice, text: string, isLocked: boolean): CountryField {
  const names = new Intl.DisplayNames(voice.locale(), { type: 'region' })
  const nameOf = (code: string) => names.of(code) ?? code
  const byName = new Intl.Collator(voice.locale())
  const sorted = countryChoices().sort((a, b) => byName.compare(nameOf(a), nameOf(b)))
  let codes = countryCodes(text)
  const list = make('ul', { class: 'chips', id: 'countries' })
  const input = make('select', { disabled: isLocked })
  const add = make(
    'button',
    {
      type: 'button',
      class: 'button button--plain',
      id: 'country-add',
      disabled: isLocked,
      click: addSelected,
    },
    voice.t('form.addCountry'),
  )

  function value(): string {
    return [...codes, ...(input.value === '' ? [] : [input.value])].join(', ')
  }

  function addSelected(): void {
    codes = countryCodes(value())
    draw()
    input.focus()
  }

  function remove(code: string, at: number): void {
    codes = codes.filter((other) => other !== code)
    draw()
    // The button that was pressed is gone; the next one keeps the place of the keyboard.
    ;(list.querySelectorAll('button')[Math.min(at, codes.length - 1)] ?? input).focus()
  }

  function draw(): void {
    const free = codes.length < maxCountries ? sorted.filter((code) => !codes.includes(code)) : []
    input.replaceChildren(
      make('option', { value: '' }, voice.t('form.chooseCountry')),
      ...free.map((value) => make('option', { value }, nameOf(value))),
    )
    input.value = ''
    list.replaceChildren(
      ...(codes.length === 0 ? [make('li', { class: 'chips__none' }, voice.t('form.noCountries'))] : []),
      ...codes.map(chip),
    )
    // A country that comes or goes changes what was entered, as typing does.
    list.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function chip(code: string, at: number): HTMLElement {
    const name = nameOf(code)
    const label = { 'aria-label': voice.t('form.removeCountry', { name }) }
    const button = make(
      'button',
      { type: 'button', 'data-code': code, ...label, click: () => remove(code, at) },
      '×',
    )
    return make('li', { class: 'chip' }, name, isLocked ? undefined : button)
  }

  draw()
  return {
    input,
    value,
    place() {
      const row = make('div', { class: 'countries' })
      input.replaceWith(row)
      row.append(input, add)
      row.before(list)
      input.value = ''
    },
  }
}
