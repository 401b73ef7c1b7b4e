/** The browser's choice of a colour, beside the input that the colour can be typed into. */
import { isColour } from '../../../../core/brand.ts'
import type { Scheme } from '../../../../core/contrast.ts'
import { make } from '../../lib/dom.ts'
import type { Labelled } from '../../lib/labelled.ts'
import type { ConsoleVoice } from '../view.ts'
import { usual } from './brand-preview.ts'

/** Each follows the other; the picker shows the usual colour of that scheme while none is entered. */
export function withPicker(voice: ConsoleVoice, field: Labelled, scheme: Scheme): Labelled {
  const { input } = field
  const picker = make('input', {
    ...{ type: 'color', class: 'colour__picker', id: `pick-${scheme}` },
    'aria-label': voice.t('brand.pick', { name: voice.t(`brand.${scheme}`) }),
    input: () => {
      input.value = picker.value
    },
  })
  const show = () => {
    const text = input.value.trim()
    picker.value = isColour(text) ? text.toLowerCase() : usual[scheme]
  }
  const row = make('div', { class: 'colour' })
  input.replaceWith(row)
  row.append(picker, input)
  input.addEventListener('input', show)
  show()
  return field
}
