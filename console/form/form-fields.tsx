/** Draws the inputs of the sale form. Each path has an input of its kind (`fields.ts`). */
import { useState } from 'preact/hooks'
import type { Language } from '../../core/language.ts'
import { countryChoices } from '../../core/people/country.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { Sale, SaleDefinition } from '../../core/sale/sale.ts'
import { maxCountries, type SettingName } from '../../core/sale/settings.ts'
import { countryNames } from '../../templates/messages/language.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { useFocusLater } from '../parts/entry-form.ts'
import {
  Field,
  type FieldProps,
  fieldInput,
  Select,
  SelectField,
  TextArea,
  TextField,
  TimeField,
} from '../parts/field.tsx'
import { type Key, sayFor, type Translator } from '../parts/kind-words.ts'
import { type TextPart, textAt } from '../parts/text-parts.ts'
import { countryCodes, currencyCode, typedZone } from '../parts/typed.ts'
import { PlainButton } from '../parts/work-button.tsx'
import { wordsOf } from '../sale/setting-words.ts'
import { useView } from '../view.ts'
import { fieldRowAt, inputsOf, kinds, lockOf } from './fields.ts'
import { type FormText, isAsked } from './form-text.ts'

/** The state of the sale form for its parts. */
export type FormState = {
  text: FormText
  /** The sale that is edited; undefined for a new one. */
  sale: Sale | undefined
  /** The languages of the shop. */
  offered: readonly Language[]
  /** Returns the error at an input or a list; empty if it is valid. */
  error(path: string): string
  /** Sets the text of an input or the rows of a list. */
  enter(path: string, part: TextPart): void
}

/** The text of an error. */
export type FieldError = { key: Key; args?: Arguments }

/** The text of a fault; a function if it depends on the input. */
export type Words = Key | ((text: FormText, place: string) => Key | FieldError)

/** A fairness mode in the form. */
export type FairnessEntry = {
  name: string
  label: Key
  text: Key
  /** The kinds of sale with this mode; all by default. */
  kinds?: readonly SaleKind[]
  /** Its settings, with their values while another mode is chosen. */
  without: Readonly<Partial<Record<SettingName, string>>>
  isChosen(text: FormText): boolean
  /** Returns the initial texts by path when it is chosen at `now` (epoch ms). */
  begin(text: FormText, now: number): Readonly<Record<string, string>>
  /** Errors of values that contradict it, by path. */
  words?: Readonly<Record<string, Words>>
  /** Returns its line in the summary; undefined for a sale without it. */
  summary?(voice: Translator, sale: SaleDefinition): string | undefined
  /** Settings that are entered below the choice. */
  fields?: readonly SettingName[]
}

/** The field of a setting, or the two fields of a rule under one title. */
export function SettingField({ form, name }: { form: FormState; name: SettingName }) {
  const { voice } = useView()
  const { text, sale } = form
  const { label, hint, options } = wordsOf(name)
  const say = sayFor(voice, text.kind)
  const paths = inputsOf(name)
  if (paths.length === 1) {
    // The reason of a lock replaces the hint, except for the id.
    const advice = (name === 'saleId' ? undefined : lockOf(name, sale)) ?? hint
    const args = { currency: currencyCode(textAt(text, 'currency')), advanced: voice.t('form.advanced') }
    return <FormField {...{ form, path: name, label: say(label), options }} hint={advice && say(advice, args)} />
  }
  const id = name.replaceAll('.', '-')
  return (
    <fieldset class="throttle" aria-describedby={id}>
      <legend>{voice.t(label)}</legend>
      {paths.map((path) => {
        const part: Key = path.endsWith('.limit') ? 'gate.limit' : 'gate.windowSeconds'
        const lock = lockOf(path, sale)
        return <FormField key={path} {...{ form, path, label: voice.t(part) }} hint={lock && voice.t(lock)} />
      })}
      <p class="field__hint" id={id}>
        {hint && voice.t(hint)}
      </p>
    </fieldset>
  )
}

/** Longer texts have a multi-line input. */
const lineLength = 1000

type FormFieldProps = Omit<FieldProps, 'name' | 'error'> & {
  form: FormState
  path: string
  options?: Readonly<Record<string, Key>> | undefined
  lang?: string
  placeholder?: string
  onChange?(): void
}

/** The input at that path; hidden while the sale does not have the field. */
export function FormField({ form, path, options, lang, ...more }: FormFieldProps) {
  const { placeholder, onChange, isHidden, ...described } = more
  const { voice } = useView()
  const { text, sale, error, enter } = form
  const field = fieldRowAt(path)
  if (field === undefined) throw new Error(`the sale form has no field ${path}`)
  const { as, range: [min, max] = [0, 0] } = field
  const isLocked = lockOf(path, sale) !== undefined
  const entered = {
    field: { ...described, name: path, error: error(path), isHidden: isHidden || !isAsked(path, text) },
    value: textAt(text, path),
    enter: (value: string) => enter(path, value),
  }
  if (as === 'countries') return <CountryField {...{ form, isLocked, ...entered }} />
  if (options !== undefined) {
    const words = Object.entries(options).map(([value, key]) => [value, voice.t(key)] as const)
    return <SelectField {...entered} options={words} disabled={isLocked} />
  }
  const attributes = { autocomplete: 'off', readonly: isLocked, lang } as const
  if (as === 'time') return <TimeField {...entered} {...attributes} zone={typedZone(textAt(text, 'timeZone'))} />
  const maxlength = ['id', 'text', 'address'].includes(as) ? max : undefined
  if (as === 'text' && max > lineLength) return <TextArea {...entered} {...attributes} {...{ maxlength, rows: 5 }} />
  if (min < 0) return <StockField {...entered} isLocked={isLocked} />
  return <TextField {...entered} {...attributes} {...{ maxlength, onChange, placeholder }} {...kinds[as].input} />
}

/** `value` has the codes, including one that is selected but not added yet. */
type CountryProps = { form: FormState; field: FieldProps; value: string; enter(value: string): void; isLocked: boolean }

/** The countries of a sale, each with its delivery cost, and a choice to add one. */
function CountryField({ form, field, value, enter, isLocked }: CountryProps) {
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
    form.enter(`delivery.costs.${code}`, '')
    choose(
      selected,
      codes.filter((other) => other !== code),
    )
    // The pressed button is gone, so the focus moves to the next one.
    const next = Math.min(at, codes.length - 2)
    focusLater(() => document.querySelectorAll<HTMLElement>('#countries button')[next] ?? select())
  }
  return (
    <Field {...field}>
      <ul class="country-rows" id="countries">
        {codes.length === 0 && <li class="field__hint">{voice.t('form.noCountries')}</li>}
        {codes.map((code, at) => (
          <li key={code} class="country-row">
            <FormField
              {...{ form, path: `delivery.costs.${code}`, label: voice.t('form.deliveryTo', { name: nameOf(code) }) }}
              placeholder={voice.t('kind.free')}
            />
            {!isLocked && (
              <PlainButton
                data-code={code}
                aria-label={voice.t('form.removeCountry', { name: nameOf(code) })}
                onClick={() => remove(code, at)}
              >
                ×
              </PlainButton>
            )}
          </li>
        ))}
      </ul>
      <div class="row countries">
        <Select
          {...fieldInput(field.name, field.error)}
          disabled={isLocked}
          options={[['', voice.t('form.chooseCountry')], ...free.map((code) => [code, nameOf(code)] as const)]}
          value={selected}
          enter={(code) => choose(code)}
        />
        <PlainButton id="country-add" disabled={isLocked} onClick={add}>
          {voice.t('form.addCountry')}
        </PlainButton>
      </div>
    </Field>
  )
}

type StockProps = { field: FieldProps; value: string; enter(value: string): void; isLocked: boolean }

/** The number of units, or unlimited, which is -1 in the API. */
function StockField({ field, value, enter, isLocked }: StockProps) {
  const { voice } = useView()
  const isUnlimited = value.trim() === '-1'
  const entered = { field, enter, value: isUnlimited ? '' : value }
  return (
    <div class="field" hidden={field.isHidden}>
      <TextField {...entered} disabled={isUnlimited} readonly={isLocked} inputmode="numeric" autocomplete="off" />
      <label class="row check-line">
        <input
          type="checkbox"
          id="stock-unlimited"
          checked={isUnlimited}
          disabled={isLocked}
          onChange={({ currentTarget }) => enter(currentTarget.checked ? '-1' : '')}
        />
        {voice.t('live.unlimited')}
      </label>
    </div>
  )
}

type ChoicesProps<Value extends string> = {
  name: string
  legend: string
  hint?: string | undefined
  options: readonly { value: Value; label: string; note: string; isDisabled?: boolean }[]
  chosen: Value | undefined
  choose(value: Value): void
}

/** Radio buttons with a description each. */
export function ChoiceField<Value extends string>({
  name,
  legend,
  hint,
  options,
  chosen,
  choose,
}: ChoicesProps<Value>) {
  return (
    <fieldset class="choices" id={name} aria-describedby={hint && `${name}-hint`}>
      <legend>{legend}</legend>
      {hint && (
        <p class="field__hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {options.map(({ value, label, note, isDisabled }) => (
        <label key={value} class="choice">
          <input
            type="radio"
            {...{ name, value, id: `${name}-${value}` }}
            checked={value === chosen}
            disabled={isDisabled}
            onChange={() => choose(value)}
          />
          <span>
            <strong>{label}</strong>
            <small>{note}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
