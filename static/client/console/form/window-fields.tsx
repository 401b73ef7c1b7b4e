/** The windows of a sale in its form (R7): rows that can be added and taken away. Red packets come in waves. */
import { useRef } from 'preact/hooks'
import { linesText } from '../../lib/variant-words.ts'
import { TextField, TimeField } from '../lib/field.tsx'
import { useFocusLater } from '../lib/focus-later.ts'
import { sayFor } from '../lib/kind-words.ts'
import { typedZone } from '../lib/typed.ts'
import { useView } from '../view-place.ts'
import type { FormState } from './form-fields.tsx'
import { ownWindowText } from './form-text.ts'
import { lockOf } from './locked-settings.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { readVariant } from './variant-text.ts'
import { nextWindowText, unitsOfWindow, type WindowField, type WindowText, windowFieldsOf } from './window-text.ts'

const labels = {
  startsAt: 'form.startsAt',
  endsAt: 'form.endsAt',
  stock: 'window.stock',
  totalAmount: 'window.total',
} as const

export function WindowRows({ form }: { form: FormState }) {
  const { voice } = useView()
  const { text, sale, change, error } = form
  const { kind, windows, variants } = text
  const say = sayFor(voice, kind)
  const zone = typedZone(text.timeZone)
  const place = useRef<HTMLFieldSetElement>(null)
  const focusLater = useFocusLater()
  const lock = lockOf('windows', sale)
  const isLocked = lock !== undefined
  const hasVariants = kind === 'goods' && variants.length > 0
  const names = new Map(variants.map(readVariant).map(({ id, name }) => [id, name]))
  const find = (selector: string) => place.current?.querySelector<HTMLElement>(selector)

  function add(): void {
    change({ windows: [...windows, nextWindowText(windows, ownWindowText(text), zone)] })
    focusLater(() => find(`#field-windows-${windows.length}-startsAt`))
  }
  function remove(i: number): void {
    change({ windows: windows.filter((_, other) => other !== i) })
    // The button that was pressed is gone; the nearest that does the same keeps the place of the
    // keyboard.
    const nearest = Math.min(i, windows.length - 2)
    focusLater(() => find(`[data-remove="${nearest}"]`) ?? find('#window-add'))
  }
  const cell = (i: number, name: WindowField) => {
    const props = {
      field: { name: `windows.${i}.${name}`, label: say(labels[name]), error: error(`windows.${i}.${name}`) },
      value: windows[i]?.[name] ?? '',
      enter: (value: string) =>
        change({ windows: windows.map((one, at) => (at === i ? { ...one, [name]: value } : one)) }),
      autocomplete: 'off',
      readonly: isLocked,
    }
    if (name === 'startsAt' || name === 'endsAt') return <TimeField key={name} {...props} zone={zone} />
    return <TextField key={name} {...props} inputmode={name === 'stock' ? 'numeric' : 'decimal'} />
  }
  /** Names the units of a window that differ from those of the others. */
  const note = (one: WindowText) => {
    const units = hasVariants ? unitsOfWindow(one, variants) : undefined
    if (units === undefined || units !== one.units) return undefined
    return say('window.ownUnits', { lines: linesText(units, names, voice.locale()) })
  }
  return (
    <fieldset
      class="window-rows"
      aria-describedby="windows-hint windows-error"
      hidden={isLocked && windows.length === 0}
      ref={place}
    >
      <legend>{say('window.title')}</legend>
      <p class="field__hint" id="windows-hint">
        {say(lock ?? 'window.hint')}
      </p>
      <ScheduleFields
        zone={zone}
        sample={windows[0] ?? nextWindowText([], ownWindowText(text), zone)}
        fill={(filled) => change({ windows: filled })}
        isHidden={isLocked}
      />
      <div class="window-rows__list">
        {windows.map((one, i) => (
          <fieldset key={i} class={`window-row window-row--${kind}`}>
            <legend>{say('window.nth', { n: i + 1 })}</legend>
            {windowFieldsOf(kind, hasVariants).map((name) => cell(i, name))}
            <p class="field__hint" hidden={note(one) === undefined}>
              {note(one)}
            </p>
            {!isLocked && (
              <button type="button" class="button button--plain" data-remove={i} onClick={() => remove(i)}>
                {say('window.remove', { n: i + 1 })}
              </button>
            )}
          </fieldset>
        ))}
      </div>
      <p class="field__error" id="windows-error">
        {error('windows')}
      </p>
      <button type="button" class="button button--plain" id="window-add" hidden={isLocked} onClick={add}>
        {say('window.add')}
      </button>
    </fieldset>
  )
}
