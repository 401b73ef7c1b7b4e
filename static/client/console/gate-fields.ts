/** The part of the sale form that says whom the gate lets through. Folded up: the defaults suit most sales. */
import { make } from '../dom.ts'
import { challengeKeys } from './facts.ts'
import type { formFields } from './form-fields.ts'
import { throttleScopes } from './form-text.ts'
import type { ConsoleVoice } from './view.ts'

type Fields = Pick<ReturnType<typeof formFields>, 'field' | 'choice'>

export function gateFields(voice: ConsoleVoice, { field, choice }: Fields): HTMLElement {
  const number = { inputmode: 'numeric' }
  const throttles = throttleScopes.map((scope) =>
    make(
      'fieldset',
      { class: 'throttle', 'aria-describedby': `throttle-${scope}` },
      make('legend', {}, voice.t(`gate.scope.${scope}`)),
      field(`throttle.${scope}.limit`, 'gate.limit', number),
      field(`throttle.${scope}.windowSeconds`, 'gate.windowSeconds', number),
      make('p', { class: 'field__hint', id: `throttle-${scope}` }, voice.t(`gate.scope.${scope}Hint`)),
    ),
  )
  return make(
    'details',
    { class: 'gate', id: 'gate' },
    make('summary', {}, voice.t('gate.title')),
    make('p', { class: 'field__hint' }, voice.t('gate.text')),
    make(
      'div',
      { class: 'gate__fields' },
      field('admissionRatio', 'gate.ratio', { inputmode: 'decimal' }, voice.t('gate.ratioHint')),
      field('minLevel', 'gate.level', number, voice.t('gate.levelHint')),
      choice('challenge', 'gate.challenge', challengeKeys, voice.t('gate.challengeHint')),
      ...throttles,
    ),
  )
}
