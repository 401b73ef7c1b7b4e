/** Two lists, such as colours and sizes, whose pairs become the variants of the form (N1). */
import { useState } from 'preact/hooks'
import { maxVariants } from '../../../../core/sale/variants.ts'
import { aidMessages } from '../../../messages/catalogues.ts'
import { focusField, TextField, useComplaint } from '../lib/field.tsx'
import { useViewWith } from '../view-place.ts'
import { productOf, type VariantText } from './variant-text.ts'

/** The part of the form with the lists, folded at first; `fill` gets the variants that they give. */
export function ProductFields({ fill }: { fill(variants: readonly VariantText[]): void }) {
  const { voice } = useViewWith(aidMessages)
  const [lists, setLists] = useState({ first: '', second: '', stock: '' })
  const [filled, setFilled] = useState<number>()
  const variants = productOf(lists.first, lists.second, lists.stock)
  const isRight = variants.length >= 2 && variants.length <= maxVariants
  const [isWrong, complain] = useComplaint(isRight)
  const wrong = isWrong ? voice.t('error.product', { n: variants.length, max: maxVariants }) : ''

  function press(): void {
    setFilled(isRight ? variants.length : undefined)
    if (isRight) return fill(variants)
    complain()
    focusField('product.first')
  }
  const enter = (name: keyof typeof lists, value: string) => setLists((before) => ({ ...before, [name]: value }))
  const field = (name: keyof typeof lists, hint: string, error: string) => ({
    field: { name: `product.${name}`, label: voice.t(`product.${name}`), hint, error },
    value: lists[name],
    enter: (value: string) => enter(name, value),
    onPaste: (event: ClipboardEvent & { currentTarget: HTMLInputElement }) => {
      const { currentTarget: input, clipboardData } = event
      const cells =
        clipboardData
          ?.getData('text')
          .trim()
          .replaceAll(/[\t\r\n]+/g, ', ') ?? ''
      if (!cells.includes(', ')) return
      // An input would join the cells of a column.
      event.preventDefault()
      input.setRangeText(cells, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end')
      enter(name, input.value)
    },
    autocomplete: 'off',
  })
  return (
    <details class="more schedule" id="product">
      <summary>{voice.t('product.title')}</summary>
      <div class="schedule__body">
        <div class="window-row">
          <TextField {...field('first', voice.t('product.firstHint'), wrong)} />
          <TextField {...field('second', voice.t('product.secondHint'), '')} />
          <TextField {...field('stock', '', '')} inputmode="numeric" />
        </div>
        <button type="button" class="button button--plain" id="product-fill" onClick={press}>
          {voice.t('product.fill')}
        </button>
        <p class="field__hint" role="status">
          {filled !== undefined && voice.t('product.filled', { n: filled })}
        </p>
      </div>
    </details>
  )
}
