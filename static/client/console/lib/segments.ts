/** A choice of a few short words in one row: radio buttons that look like one switch. */
import { make } from '../../lib/dom.ts'

/** `name` is that of the radio buttons, whose ids end with their value. */
export function segments<Value extends string>(
  { name, legend }: { name: string; legend: string },
  values: readonly Value[],
  chosen: Value,
  { label, choose }: { label(value: Value): string; choose(value: Value): void },
): HTMLElement {
  const option = (value: Value) => {
    const input = make('input', {
      ...{ type: 'radio', name, value, id: `${name}-${value}`, class: 'unseen' },
      change: () => choose(value),
    })
    input.checked = value === chosen
    return make('label', { class: 'segment' }, input, make('span', {}, label(value)))
  }
  return make(
    'fieldset',
    { class: 'segments' },
    make('legend', { class: 'unseen' }, legend),
    ...values.map(option),
  )
}
