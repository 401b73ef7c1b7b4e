/** The inputs of the sale form, made from the settings (`core/sale/settings.ts`). */

import { useState } from 'preact/hooks'
import { countryChoices } from '../../../../core/people/country.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { maxCountries, type SettingName, settingOf } from '../../../../core/sale/settings.ts'
import { countryNames } from '../../lib/language.ts'
import {
  Field,
  type FieldProps,
  fieldInput,
  Select,
  SelectField,
  TextArea,
  TextField,
  TimeField,
} from '../lib/field.tsx'
import { useFocusLater } from '../lib/focus-later.ts'
import { type Key, sayFor } from '../lib/kind-words.ts'
import { countryCodes, typedZone } from '../lib/typed.ts'
import { settingWords } from '../sale/setting-words.ts'
import { useView } from '../view-place.ts'
import type { Place } from './field-errors.ts'
import { type FieldName, type FormText, inputsOf, isAskedFor, isRule, partsOf } from './form-text.ts'
import { lockOf } from './locked-settings.ts'

/** The sale form gives its parts the text that is entered, its errors, and the way to change it. */
export type FormState = {
  text: FormText
  /** The sale that is edited; undefined for a new one. */
  sale: Sale | undefined
  /** What is wrong at that place, in words; empty while nothing is. */
  error(place: Place): string
  change(part: Partial<FormText>): void
  /** A field with an input of its own has another value. */
  enter(field: FieldName, value: string): void
}

/** A text longer than this is written in a box of several lines. */
const lineLength = 1000

/** What an input needs besides its place, by how its value is written. */
function attributesOf(name: SettingName) {
  const { as, range: [min, max] = [0, 0] } = settingOf(name)
  switch (as) {
    case 'text':
      return { maxlength: max }
    case 'id':
      return { autocapitalize: 'none', spellcheck: false, maxlength: 40 } as const
    case 'code':
      return { maxlength: 3, autocapitalize: 'characters', list: 'currencies' } as const
    case 'money':
    case 'decimal':
    case 'minutes':
      return { inputmode: 'decimal' } as const
    // A phone's keyboard for digits may have no minus.
    case 'units':
      return min < 0 ? {} : ({ inputmode: 'numeric' } as const)
    case 'rule':
      return { inputmode: 'numeric' } as const
    case 'origins':
      return { autocapitalize: 'none', spellcheck: false, inputmode: 'url' } as const
    case 'time':
    case 'pictures':
    case 'countries':
    case 'costs':
    case 'choice':
      return {}
  }
}

/** The field of a setting, in the words of the kind of sale; of a rule, its two fields under one title. */
export function SettingField({ form, name }: { form: FormState; name: SettingName }) {
  const { voice } = useView()
  const { text, sale } = form
  const { label, hint } = settingWords[name]
  const isHidden = !isAskedFor(name, text.kind, partsOf(text))
  const [only] = inputsOf(name)
  const say = sayFor(voice, text.kind)
  if (!isRule(name) && only !== undefined) {
    // The lock's reason stands where the hint was; that of the id never changes.
    const advice = (name === 'saleId' ? undefined : lockOf(only, sale)) ?? hint
    return <SettingInput {...{ form, name, field: only, label: say(label), isHidden }} hint={advice && say(advice)} />
  }
  const id = name.replaceAll('.', '-')
  return (
    <fieldset class="throttle" aria-describedby={id}>
      <legend>{voice.t(label)}</legend>
      {inputsOf(name).map((field) => {
        const part: Key = field.endsWith('.limit') ? 'gate.limit' : 'gate.windowSeconds'
        const lock = lockOf(field, sale)
        return (
          <SettingInput
            key={field}
            {...{ form, name, field, label: voice.t(part), isHidden }}
            hint={lock && voice.t(lock)}
          />
        )
      })}
      <p class="field__hint" id={id}>
        {hint && voice.t(hint)}
      </p>
    </fieldset>
  )
}

type InputProps = Omit<FieldProps, 'name'> & { form: FormState; name: SettingName; field: FieldName }

function SettingInput({ form, name, field: place, ...described }: InputProps) {
  const { voice } = useView()
  const { text, sale, error, enter } = form
  const isLocked = lockOf(place, sale) !== undefined
  const field = { ...described, name: place, error: error(place) }
  const { options } = settingWords[name]
  const { as, range: [, max] = [0, 0] } = settingOf(name)
  const entered = { field, value: text[place], enter: (value: string) => enter(place, value) }
  if (as === 'countries') return <CountryField {...entered} isLocked={isLocked} />
  if (options !== undefined) {
    const words = Object.entries(options).map(([value, key]) => [value, voice.t(key)] as const)
    return <SelectField {...entered} options={words} disabled={isLocked} />
  }
  const attributes = { autocomplete: 'off', ...attributesOf(name), readonly: isLocked } as const
  if (as === 'time') return <TimeField {...entered} {...attributes} zone={typedZone(text.timeZone)} />
  return as === 'text' && max > lineLength ? (
    <TextArea {...entered} {...attributes} rows={5} />
  ) : (
    <TextField {...entered} {...attributes} />
  )
}

/** `value` are the codes, one that is selected but not added yet included; a locked list cannot be changed. */
type Props = { field: FieldProps; value: string; enter(value: string): void; isLocked: boolean }

/** The countries of a sale in its form: a list of those that are chosen, and a choice of one more. */
function CountryField({ field, value, enter, isLocked }: Props) {
  const { voice } = useView()
  const [selected, setSelected] = useState('')
  const focusLater = useFocusLater()
  const codes = countryCodes(value).filter((code) => code !== selected)
  const nameOf = countryNames(voice.locale())
  const byName = new Intl.Collator(voice.locale())
  const free = countryChoices()
    .sort((a, b) => byName.compare(nameOf(a), nameOf(b)))
    .filter((code) => codes.length < maxCountries && !codes.includes(code))
  const { id } = fieldInput(field.name)
  const select = () => document.getElementById(id)

  function choose(chosen: string, others: readonly string[] = codes): void {
    setSelected(chosen)
    enter([...others, ...(chosen === '' ? [] : [chosen])].join(', '))
  }
  function add(): void {
    choose('', [...codes, ...(selected === '' ? [] : [selected])])
    focusLater(select)
  }
  function remove(code: string, at: number): void {
    choose(
      selected,
      codes.filter((other) => other !== code),
    )
    // The button that was pressed is gone; the next one keeps the place of the keyboard.
    const next = Math.min(at, codes.length - 2)
    focusLater(() => document.querySelectorAll<HTMLElement>('#countries button')[next] ?? select())
  }
  return (
    <Field {...field}>
      <ul class="chips" id="countries">
        {codes.length === 0 && <li class="chips__none">{voice.t('form.noCountries')}</li>}
        {codes.map((code, at) => (
          <li key={code} class="chip">
            {nameOf(code)}
            {!isLocked && (
              <button
                type="button"
                data-code={code}
                aria-label={voice.t('form.removeCountry', { name: nameOf(code) })}
                onClick={() => remove(code, at)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="countries">
        <Select
          {...fieldInput(field.name, field.error)}
          disabled={isLocked}
          options={[['', voice.t('form.chooseCountry')], ...free.map((code) => [code, nameOf(code)] as const)]}
          value={selected}
          enter={(code) => choose(code)}
        />
        <button type="button" class="button button--plain" id="country-add" disabled={isLocked} onClick={add}>
          {voice.t('form.addCountry')}
        </button>
      </div>
    </Field>
  )
}
