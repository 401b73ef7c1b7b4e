/** Two lists, such as colours and sizes, whose pairs become the variants of the form (N1). */
import { maxVariants } from '../../../../core/sale/variants.ts'
import { make, setText } from '../../lib/dom.ts'
import { clearWhenRight, labelled } from '../../lib/labelled.ts'
import type { Key } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import { productOf, type VariantText } from './variant-text.ts'

/** The part of the form with the lists, folded at first; `fill` gets the variants that they give. */
export function productFields(
  voice: ConsoleVoice,
  fill: (variants: readonly VariantText[]) => void,
): HTMLElement {
  const field = (name: string, label: Key, hint: Key | undefined, props: Record<string, string> = {}) =>
    labelled(
      `product.${name}`,
      voice.t(label),
      hint === undefined ? '' : voice.t(hint),
      make('input', { autocomplete: 'off', ...props }),
    )
  const first = field('first', 'product.first', 'product.firstHint')
  const second = field('second', 'product.second', 'product.secondHint')
  const stock = field('stock', 'product.stock', undefined, { inputmode: 'numeric' })
  const result = make('p', { class: 'field__hint', role: 'status' })
  const button = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'product-fill', click },
    voice.t('product.fill'),
  )

  const entered = () => productOf(first.input.value, second.input.value, stock.input.value)
  const isRight = ({ length }: readonly VariantText[]) => length >= 2 && length <= maxVariants

  function click(): void {
    const variants = entered()
    const isWrong = !isRight(variants)
    first.complain(isWrong ? voice.t('error.product', { n: variants.length, max: maxVariants }) : '')
    setText(result, '')
    if (isWrong) {
      first.input.focus()
      return
    }
    fill(variants)
    setText(result, voice.t('product.filled', { n: variants.length }))
  }

  const element = make(
    'details',
    { class: 'more schedule', id: 'product' },
    make('summary', {}, voice.t('product.title')),
    make(
      'div',
      { class: 'schedule__body' },
      make('div', { class: 'window-row' }, first.element, second.element, stock.element),
      button,
      result,
    ),
  )
  clearWhenRight(element, first, () => isRight(entered()))
  return element
}
