/**
 * The inputs of the sale form, made from the settings (`core/sale/settings.ts`), and what helps to fill
 * them in.
 */

import type { Sale } from '../../../../core/sale/sale.ts'
import { type SettingName, settingOf } from '../../../../core/sale/settings.ts'
import { make } from '../../lib/dom.ts'
import { enteredIn, type Input, type Labelled, labelled } from '../../lib/labelled.ts'
import { type Key, sayFor } from '../lib/kind-words.ts'
import { suggestedId } from '../lib/typed.ts'
import { settingWords } from '../sale/setting-words.ts'
import type { ConsoleVoice } from '../view.ts'
import { countryField } from './country-field.ts'
import {
  type FieldName,
  type FormParts,
  type FormText,
  fieldNames,
  inputsOf,
  isAskedFor,
  isRule,
  settingAt,
} from './form-text.ts'
import { lockOf } from './locked-settings.ts'

type Props = Record<string, string | number>

/** A text longer than this is written in a box of several lines. */
const lineLength = 1000

/** What an input needs besides its place, by how its value is written. */
function propsOf(name: SettingName): Props {
  const { as, range: [min, max] = [0, 0] } = settingOf(name)
  switch (as) {
    case 'text':
      return { maxlength: max, ...(max > lineLength && { rows: 5 }) }
    case 'id':
      return { autocapitalize: 'none', spellcheck: 'false', maxlength: 40 }
    case 'code':
      return { maxlength: 3, autocapitalize: 'characters', list: 'currencies' }
    case 'time':
      return { type: 'datetime-local', step: 1 }
    case 'money':
    case 'decimal':
    case 'minutes':
      return { inputmode: 'decimal' }
    // A phone's keyboard for digits may have no minus.
    case 'units':
      return min < 0 ? {} : { inputmode: 'numeric' }
    case 'rule':
      return { inputmode: 'numeric' }
    case 'pictures':
    case 'countries':
    case 'choice':
      return {}
  }
}

/** Fields filled with `text`; those that `sale` no longer lets change are read-only. */
export function formFields(voice: ConsoleVoice, text: FormText, sale: Sale | undefined) {
  const fields = new Map<FieldName, Labelled>()
  /** What stands in inputs that hold more than one value. */
  const lists = new Map<FieldName, () => string>()

  function place(name: FieldName, label: Key, input: Input, hint: Key | undefined): HTMLElement {
    input.value = text[name]
    const field = labelled(name, voice.t(label), hint === undefined ? '' : voice.t(hint), input)
    fields.set(name, field)
    return field.element
  }

  function settingField(name: SettingName): HTMLElement {
    const names = inputsOf(name)
    const [field] = names
    if (isRule(name) || field === undefined) {
      const parts = names.map((part) => rulePart(name, part))
      return ruleElement(voice, name, parts)
    }
    if (settingOf(name).as === 'countries') return countriesPlace(name, field)
    const input = inputOf(voice, name, field, sale)
    return place(field, settingWords[name].label, input, hintOf(name, field, sale))
  }

  function countriesPlace(name: SettingName, field: FieldName): HTMLElement {
    const choice = countryField(voice, text[field], lockOf(field, sale) !== undefined)
    const element = place(field, settingWords[name].label, choice.input, hintOf(name, field, sale))
    choice.place()
    lists.set(field, choice.value)
    return element
  }

  function rulePart(name: SettingName, field: FieldName): HTMLElement {
    const label = field.endsWith('.limit') ? 'gate.limit' : 'gate.windowSeconds'
    return place(field, label, inputOf(voice, name, field, sale), lockOf(field, sale))
  }

  return {
    fields,

    /** The field of a setting that has an input of its own. */
    field: settingField,

    input: (name: FieldName): Input | undefined => fields.get(name)?.input,

    /**
     * Shows the fields that this kind of sale has, in its words; its windows and variants replace
     * some of them.
     */
    show(kind: FormText['kind'], parts: FormParts): void {
      const say = sayFor(voice, kind)
      for (const [field, labelledField] of fields) {
        const name = settingAt(field)
        labelledField.element.hidden = !isAskedFor(name, kind, parts)
        if (isRule(name)) continue
        const hint = hintOf(name, field, sale)
        labelledField.rename(say(settingWords[name].label))
        labelledField.advise(hint === undefined ? '' : say(hint))
      }
    },

    values(): Record<FieldName, string> {
      const entered = { ...text }
      for (const name of fieldNames) {
        const input = fields.get(name)?.input
        entered[name] = lists.get(name)?.() ?? (input === undefined ? '' : enteredIn(input))
      }
      return entered
    },
  }
}

/** The lock's reason stands where the hint was; that of the id never changes. */
function hintOf(name: SettingName, field: FieldName, sale: Sale | undefined): Key | undefined {
  return (name === 'saleId' ? undefined : lockOf(field, sale)) ?? settingWords[name].hint
}

function inputOf(voice: ConsoleVoice, name: SettingName, field: FieldName, sale: Sale | undefined): Input {
  const isLocked = lockOf(field, sale) !== undefined
  const { options } = settingWords[name]
  if (options !== undefined) {
    const items = Object.entries(options).map(([value, key]) => make('option', { value }, voice.t(key)))
    return make('select', { disabled: isLocked }, ...items)
  }
  const props = { autocomplete: 'off', ...propsOf(name), readonly: isLocked }
  return make('rows' in props ? 'textarea' : 'input', props)
}

/** Two inputs under one title, with the hint below both. */
function ruleElement(voice: ConsoleVoice, name: SettingName, inputs: readonly HTMLElement[]): HTMLElement {
  const { label, hint } = settingWords[name]
  const id = name.replaceAll('.', '-')
  return make(
    'fieldset',
    { class: 'throttle', 'aria-describedby': id },
    make('legend', {}, voice.t(label)),
    ...inputs,
    make('p', { class: 'field__hint', id }, hint === undefined ? '' : voice.t(hint)),
  )
}

/** The id follows the title, unless it is one that the marketer has written or that of a copy. */
export function suggestId(title: Input | undefined, id: Input | undefined): void {
  let own = id !== undefined && id.value !== '' && id.value !== suggestedId(title?.value ?? '', new Date())
  id?.addEventListener('input', () => {
    own = id.value !== ''
  })
  title?.addEventListener('input', () => {
    if (!own && id !== undefined) id.value = suggestedId(title.value, new Date())
  })
}

/** As many units in one order as a shopper may have, until the marketer enters another number. */
export function followLimit(limit: Input | undefined, perOrder: Input | undefined): void {
  let last = limit?.value
  limit?.addEventListener('input', () => {
    if (perOrder !== undefined && perOrder.value === last) perOrder.value = limit.value
    last = limit.value
  })
}
