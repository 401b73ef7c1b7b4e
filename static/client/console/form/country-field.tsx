/** The countries of a sale in its form: a list of those that are chosen, and a choice of one more. */
import { useState } from 'preact/hooks'
import { countryChoices } from '../../../../core/people/country.ts'
import { maxCountries } from '../../../../core/sale/settings.ts'
import { Field, type FieldProps, fieldInput, Select } from '../lib/field.tsx'
import { useFocusLater } from '../lib/focus-later.ts'
import { countryCodes } from '../lib/typed.ts'
import { useView } from '../view-place.ts'

/** `value` are the codes, one that is selected but not added yet included; a locked list cannot be changed. */
type Props = { field: FieldProps; value: string; enter(value: string): void; isLocked: boolean }

export function CountryField({ field, value, enter, isLocked }: Props) {
  const { voice } = useView()
  const [selected, setSelected] = useState('')
  const focusLater = useFocusLater()
  const codes = countryCodes(value).filter((code) => code !== selected)
  const names = new Intl.DisplayNames(voice.locale(), { type: 'region' })
  const nameOf = (code: string) => names.of(code) ?? code
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
