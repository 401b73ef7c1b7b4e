/** The variants of a sale in its form (N1), typed one by one or made of two lists. */
import { useRef } from 'preact/hooks'
import { splitList } from '../../core/lib/text.ts'
import { isVariantId, maxVariants } from '../../core/sale/variants.ts'
import { type Row, type TextPart, textAt, withPart } from '../parts/text-parts.ts'
import { cutSlug, slugOf } from '../parts/typed.ts'
import { useView } from '../view.ts'
import { lockOf } from './fields.ts'
import { FormField, type FormState } from './form-fields.tsx'
import { numberAt } from './form-text.ts'
import { FillAid, type Filled, RowList } from './row-list.tsx'

const variantInputs = ['name', 'id', 'stock'] as const

export function VariantRows({ form, isHidden }: { form: FormState; isHidden: boolean }) {
  const { voice } = useView()
  const { text, sale } = form
  const { variants } = text
  // They no longer follow the names of their rows.
  const typedIds = useRef(new Set<string>()).current
  const stocks = variants.map((_, i) => numberAt(text, `variants.${i}.stock`)).filter((n) => n > 0)

  function enter(path: string, part: TextPart): void {
    const changed = withPart(text, path, part).variants
    const [, row = '', name] = path.split('.')
    const before = variants[Number(row)] ?? {}
    const id = textAt(before, 'id')
    if (name === 'id' && part !== '') typedIds.add(String(part))
    const others = variants.filter((one) => one !== before).map((one) => textAt(one, 'id'))
    const follows = name === 'name' && lockOf('variants', sale) === undefined && !typedIds.has(id)
    // Only an id that the name gives goes on following it.
    const isSuggested = ['', suggestedVariantId(textAt(before, 'name'), []), idFor(before, others)].includes(id)
    if (!follows || !isSuggested) return form.enter('variants', changed)
    form.enter(
      'variants',
      changed.map((one, i) => (i === Number(row) ? { ...one, id: idFor(one, others) } : one)),
    )
  }
  return (
    <RowList
      {...{ list: 'variants', one: 'variant', rows: variants, max: maxVariants, isHidden }}
      lock={lockOf('variants', sale)}
      error={form.error('variants')}
      enter={(rows) => form.enter('variants', rows)}
      say={(word, args) => voice.t(`variant.${word}`, args)}
      next={() => ({ name: '', id: '', stock: variants.at(-1)?.stock ?? '' })}
      aid={
        <FillAid
          id="product"
          say={(word, args) => voice.t(`product.${word}`, args)}
          inputs={{
            first: { hint: voice.t('product.firstHint') },
            second: { hint: voice.t('product.secondHint') },
            stock: { inputmode: 'numeric' },
          }}
          read={productOf}
          fill={(rows) => form.enter('variants', rows)}
        />
      }
      note={
        <p id="variants-sum" role="status">
          {variants.length > 0 && voice.t('variant.sum', { n: stocks.reduce((all, n) => all + n, 0) })}
        </p>
      }
    >
      {(i) =>
        variantInputs.map((name) => (
          <FormField
            key={name}
            form={{ ...form, enter }}
            path={`variants.${i}.${name}`}
            label={voice.t(`variant.${name}`)}
          />
        ))
      }
    </RowList>
  )
}

/** The most characters in the id of a variant. */
const maxLength = 16

const idFor = (row: Row, others: readonly string[]): string => {
  const name = textAt(row, 'name').trim()
  return name === '' ? '' : suggestedVariantId(name, others)
}

/** An id for a name, not among `taken`: `Black / M` becomes `black-m`, one without Latin letters `v1`, `v2` … */
export function suggestedVariantId(name: string, taken: readonly string[]): string {
  const slug = slugOf(name, maxLength)
  if (isVariantId(slug) && !taken.includes(slug)) return slug
  for (let n = slug === '' ? 1 : 2; ; n += 1) {
    const numbered = slug === '' ? `v${n}` : `${cutSlug(slug, maxLength - `-${n}`.length)}-${n}`
    if (!taken.includes(numbered)) return numbered
  }
}

type Product = Readonly<Record<'first' | 'second' | 'stock', string>>

/** A variant with `stock` units for each pair of two lists; the second list may be empty. */
export function productOf({ first, second, stock }: Product): Filled<keyof Product> {
  const names = splitList(first).flatMap((one) => {
    const others = splitList(second)
    return others.length === 0 ? [one] : others.map((other) => `${one} / ${other}`)
  })
  const rows: Row[] = []
  for (const name of new Set(names)) {
    const taken = rows.map((row) => textAt(row, 'id'))
    rows.push({ name, id: suggestedVariantId(name, taken), stock })
  }
  if (rows.length >= 2 && rows.length <= maxVariants) return { rows }
  return { wrong: 'first', key: 'error.product', args: { n: rows.length, max: maxVariants } }
}
