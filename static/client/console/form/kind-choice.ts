/**
 * The first question of the sale form: which kind of sale it is. An existing one keeps its kind.
 */
import { type SaleKind, saleKinds } from '../../../../core/sale/settings.ts'
import { make } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'

/** `onChange` is undefined where nothing can be chosen any more. */
export function kindChoice(
  voice: ConsoleVoice,
  chosen: SaleKind,
  onChange: ((kind: SaleKind) => void) | undefined,
): HTMLElement {
  const words = (kind: SaleKind, note: string) =>
    make('span', {}, make('strong', {}, voice.t(`kind.${kind}`)), make('small', {}, note))
  if (onChange === undefined) {
    return make('p', { class: 'kind', id: 'kind', 'data-kind': chosen }, words(chosen, voice.t('kind.fixed')))
  }
  const choice = (kind: SaleKind) => {
    const input = make('input', {
      type: 'radio',
      name: 'kind',
      value: kind,
      id: `kind-${kind}`,
      change: () => onChange(kind),
    })
    input.checked = kind === chosen
    return make('label', { class: 'choice' }, input, words(kind, voice.t(`kind.${kind}Text`)))
  }
  return make(
    'fieldset',
    { class: 'choices kinds', id: 'kind' },
    make('legend', {}, voice.t('kind.title')),
    ...saleKinds.map(choice),
  )
}
