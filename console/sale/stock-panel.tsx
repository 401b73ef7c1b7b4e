/** The stock of a sale, with a form to add or remove units; red packets are split in advance and do not change. */
import { useRef, useState } from 'preact/hooks'
import type { Live } from '../../core/api/control-answers.ts'
import { ownValue } from '../../core/lib/own-value.ts'
import { allPackets } from '../../core/packets/packets.ts'
import { type Variant, variantNameIn, variantNamesIn } from '../../core/sale/variants.ts'
import { askBefore } from '../parts/ask-before.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Select } from '../parts/field.tsx'
import { sayFor } from '../parts/kind-words.ts'
import { WorkButton } from '../parts/work-button.tsx'
import { type ConsoleVoice, useView } from '../view.ts'
import { stockEffect, type UnitsChange } from './effects.ts'

/** `restock` adds units or removes some. */
type Props = { live: Live; restock(change: UnitsChange): Promise<void> }

export function StockPanel({ live, restock }: Props) {
  const { voice, may } = useView()
  const { kind, archivedAt } = live.sale
  return (
    <section class="panel" hidden={archivedAt !== undefined}>
      <h2>{sayFor(voice, kind)('stock.title')}</h2>
      <p id="stock-line">{stockLine(voice, live)}</p>
      {may('changeStock') && <StockForm live={live} isHidden={!canChangeUnits(live)} restock={restock} />}
    </section>
  )
}

/** True when adding or removing units has an effect that a shopper could see. */
export const canChangeUnits = ({ sale: { stock, warmed, kind }, phase }: Pick<Live, 'sale' | 'phase'>): boolean =>
  stock !== -1 && warmed && kind !== 'red-packet' && phase !== 'ended'

function stockLine(voice: ConsoleVoice, { sale, stock }: Live): string {
  const say = sayFor(voice, sale.kind)
  const count = (n: number) => n.toLocaleString(voice.locale())
  if (!sale.warmed) return say('live.waiting')
  if (sale.kind === 'red-packet') {
    const whole = allPackets(sale)
    const money = voice.money(whole.totalAmount, sale.currency)
    return say('stock.split', { stock: say('console.stockOf', { n: whole.count }), money })
  }
  if (sale.stock === -1) return say('stock.unlimited')
  if (stock === null) return say('stock.unknown', { total: count(sale.stock) })
  return say('stock.now', { total: count(stock.total), booked: count(stock.booked) })
}

/** `restock` receives the units to add, negative to take away, of the variant that is chosen. */
type StockFormProps = { live: Live; isHidden: boolean; restock(change: UnitsChange): Promise<void> }

/** The form that adds units to a stock or removes some. */
function StockForm({ live, isHidden, restock }: StockFormProps) {
  const { voice } = useView()
  const { variants = [], kind } = live.sale
  const [units, setUnits] = useState('1')
  const [chosen, setChosen] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const variant = (variants.find(({ id }) => id === chosen) ?? variants[0])?.id
  const [wrong, complain] = useState<string>()
  const isWrong = units === wrong

  /** The change that is typed; undefined unless it is a whole number of 1 or more. */
  function typed(sign: 1 | -1): UnitsChange | undefined {
    const n = /^\d{1,8}$/.test(units.trim()) ? Number(units) : 0
    return n < 1 ? undefined : { delta: sign * n, ...(variant !== undefined && { variant }) }
  }

  async function press(sign: 1 | -1): Promise<void> {
    const wanted = typed(sign)
    if (wanted === undefined) {
      complain(units)
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
      <div class="stock__effect note" id="stock-effect">
        {isWrong && <p class="field__error">{voice.t('error.whole', { min: 1, max: 99_999_999 })}</p>}
        {effects.map((text) => (
          <p>{text}</p>
        ))}
        {effects.length > 0 && <p>{voice.t('effect.shown')}</p>}
      </div>
    </div>
  )
}

const counts = ['granted', 'booked', 'left'] as const

/** The databases of a split stock, and the units that no shard has yet. Missing for a stock in one database. */
export function ShardPanel({ live: { sale, split } }: { live: Live }) {
  const { voice } = useView()
  if (split === null) return null
  const say = sayFor(voice, sale.kind)
  const { shards, pool } = split
  return (
    <section class="panel shards" id="shards">
      <h2>{say('shards.title')}</h2>
      <DataTable
        columns={[
          { heading: say('shards.database'), kind: 'name', cell: ({ database }) => database },
          {
            heading: say('shards.state'),
            cell: ({ state }) => (
              <span class="shards__state" data-state={state}>
                {say(`shards.state.${state}`)}
              </span>
            ),
          },
          ...counts.map(
            (name): Column<(typeof shards)[number]> => ({
              ...{ heading: say(`shards.${name}`), kind: 'number' },
              cell: (shard) => shard[name]?.toLocaleString(voice.locale()) ?? '–',
            }),
          ),
        ]}
        rows={shards}
        keyOf={({ database }) => database}
        caption={say('shards.caption')}
      />
      <p id="shards-pool">{say(pool < 0 ? 'shards.overdrawn' : 'shards.pool', { n: Math.abs(pool) })}</p>
    </section>
  )
}

const numbers = ['total', 'booked', 'left'] as const

/** Shows the stock, sold and remaining units of each variant (N1). Missing for a sale without variants. */
export function VariantPanel({ live }: { live: Live }) {
  const { voice } = useView()
  const { variants = [] } = live.sale
  if (variants.length === 0) return null
  const unitsOf = ({ id, stock }: Variant) =>
    (live.frozen ? undefined : ownValue(live.variants, id)) ??
    (live.sale.warmed ? undefined : { total: stock, booked: 0, left: stock })
  const textOf = (variant: Variant, column: (typeof numbers)[number]) => {
    const count = unitsOf(variant)?.[column]
    if (column === 'left' && count === 0) return `0 · ${voice.t('variants.soldOut')}`
    return count?.toLocaleString(voice.locale()) ?? '–'
  }
  return (
    <section class="panel shards" id="variants">
      <h2 id="variants-title">{voice.t('variants.title')}</h2>
      <DataTable
        columns={[
          { heading: voice.t('variants.name'), kind: 'name', cell: (one) => variantNameIn(one, voice.language()) },
          ...numbers.map(
            (column): Column<Variant> => ({
              ...{ heading: voice.t(`variants.${column}`), kind: 'number' },
              cell: (variant) => textOf(variant, column),
            }),
          ),
        ]}
        rows={variants}
        keyOf={({ id }) => id}
        dataOf={({ id }) => ({ 'data-variant': id })}
        labelledBy="variants-title"
      />
    </section>
  )
}
