/** The form that adds units to a stock or removes some. */
import { useRef, useState } from 'preact/hooks'
import type { Live } from '../../../../core/api/control-answers.ts'
import { variantNamesIn } from '../../../../core/sale/variants.ts'
import { askBefore } from '../lib/ask-before.ts'
import { Select, useComplaint } from '../lib/field.tsx'
import { sayFor } from '../lib/kind-words.ts'
import { WorkButton } from '../lib/work-button.tsx'
import { stockEffect } from '../sale/effects.ts'
import { useView } from '../view-place.ts'
import type { UnitsChange } from './stock-keys.ts'

/**
 * `restock` is called with the units to add, negative to take away, of the variant that is chosen
 * where the sale has some. What it will do is said while it is typed; to take units away asks first.
 */
type Props = { live: Live; isHidden: boolean; restock(change: UnitsChange): Promise<void> }

export function StockForm({ live, isHidden, restock }: Props) {
  const { voice } = useView()
  const { variants = [], kind } = live.sale
  const [units, setUnits] = useState('1')
  const [chosen, setChosen] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const variant = (variants.find(({ id }) => id === chosen) ?? variants[0])?.id
  const [isWrong, complain] = useComplaint(typed(1) !== undefined)

  /** The change that is typed; undefined unless it is a whole number of 1 or more. */
  function typed(sign: 1 | -1): UnitsChange | undefined {
    const n = /^\d{1,8}$/.test(units.trim()) ? Number(units) : 0
    return n < 1 ? undefined : { delta: sign * n, ...(variant !== undefined && { variant }) }
  }

  async function press(sign: 1 | -1): Promise<void> {
    const wanted = typed(sign)
    if (wanted === undefined) {
      complain()
      input.current?.focus()
    } else if (sign === 1 || (await isMeant(wanted))) await restock(wanted)
  }

  const isMeant = (wanted: UnitsChange) =>
    askBefore(voice, {
      title: voice.t('effect.remove'),
      effects: [stockEffect(voice, live, wanted), voice.t('effect.shown')],
      choice: { value: 'remove', label: voice.t('stock.remove'), kind: 'danger' },
    })

  const effects = ([1, -1] as const).flatMap((sign) => {
    const wanted = typed(sign)
    if (wanted === undefined) return []
    const effect = stockEffect(voice, live, wanted)
    return [voice.t(sign === 1 ? 'effect.ifAdded' : 'effect.ifRemoved', { effect })]
  })
  return (
    <div class="stock" hidden={isHidden}>
      <div class="field" hidden={variants.length === 0}>
        <label for="delta-variant">{voice.t('variants.which')}</label>
        <Select
          id="delta-variant"
          options={variantNamesIn(variants, voice.language()).map(({ id, name }) => [id, name])}
          value={variant ?? ''}
          enter={setChosen}
        />
      </div>
      <label for="delta">{sayFor(voice, kind)('stock.delta')}</label>
      <input
        id="delta"
        inputmode="numeric"
        autocomplete="off"
        aria-describedby="stock-effect"
        aria-invalid={isWrong}
        ref={input}
        value={units}
        onInput={(event) => setUnits(event.currentTarget.value)}
      />
      <WorkButton id="stock-remove" look="plain" work={() => press(-1)}>
        {voice.t('stock.remove')}
      </WorkButton>
      <WorkButton id="stock-add" look="plain" work={() => press(1)}>
        {voice.t('stock.add')}
      </WorkButton>
      <div class="stock__effect" id="stock-effect">
        {isWrong && <p class="field__error">{voice.t('error.whole', { min: 1, max: 99_999_999 })}</p>}
        {effects.map((text) => (
          <p>{text}</p>
        ))}
        {effects.length > 0 && <p>{voice.t('effect.shown')}</p>}
      </div>
    </div>
  )
}
