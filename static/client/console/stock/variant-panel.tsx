/** What each variant of a sale has, has sold and has left: one row for each (N1). */
import type { Live } from '../../../../core/api/control-answers.ts'
import { type Variant, variantNameIn } from '../../../../core/sale/variants.ts'
import { RowHead, ScrollTable, TableCell } from '../lib/scroll-table.tsx'
import { useView } from '../view-place.ts'

const numbers = ['total', 'booked', 'left'] as const

/** Missing for a sale without variants. */
export function VariantPanel({ live }: { live: Live }) {
  const { voice } = useView()
  const { variants = [] } = live.sale
  if (variants.length === 0) return null
  const headings = (['name', ...numbers] as const).map((name) => voice.t(`variants.${name}`))
  return (
    <section class="panel shards" id="variants">
      <h2 id="variants-title">{voice.t('variants.title')}</h2>
      <ScrollTable headings={headings} numbersFrom={1} labelledBy="variants-title">
        {variants.map((variant) => (
          <VariantRow key={variant.id} variant={variant} live={live} />
        ))}
      </ScrollTable>
    </section>
  )
}

function VariantRow({ variant, live }: { variant: Variant; live: Live }) {
  const { voice } = useView()
  const { id, stock } = variant
  const before = live.sale.warmed ? undefined : { total: stock, booked: 0, left: stock }
  const units = (live.frozen ? undefined : live.variants?.[id]) ?? before
  return (
    <tr role="row" data-variant={id}>
      <RowHead>{variantNameIn(variant, voice.language())}</RowHead>
      {numbers.map((column) => {
        const isNone = column === 'left' && units?.left === 0
        const text = units?.[column].toLocaleString(voice.locale()) ?? '–'
        return (
          <TableCell
            key={column}
            label={voice.t(`variants.${column}`)}
            class="number"
            data-none={isNone ? '' : undefined}
          >
            {isNone ? `0 · ${voice.t('variants.soldOut')}` : text}
          </TableCell>
        )
      })}
    </tr>
  )
}
