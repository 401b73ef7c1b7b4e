/**
 * The variants of a sale in its form (N1): rows with a name, an id and a stock, typed one by one or
 * made of two lists.
 */
import { useRef, useState } from 'preact/hooks'
import { maxVariantName, maxVariants } from '../../../../core/sale/variants.ts'
import { aidMessages } from '../../../messages/catalogues.ts'
import { focusField, TextField, useComplaint } from '../lib/field.tsx'
import { useFocusLater } from '../lib/focus-later.ts'
import { useView, useViewWith } from '../view-place.ts'
import type { FormState } from './form-fields.tsx'
import { lockOf } from './locked-settings.ts'
import { productOf, readVariant, suggestedVariantId, type VariantField, type VariantText } from './variant-text.ts'

export function VariantRows({ form, isHidden }: { form: FormState; isHidden: boolean }) {
  const { voice } = useView()
  const { text, sale, change, error } = form
  const { variants } = text
  const place = useRef<HTMLFieldSetElement>(null)
  const focusLater = useFocusLater()
  // They no longer follow the names of their rows.
  const typedIds = useRef(new Set<string>()).current
  // Only the names can change then.
  const lock = lockOf('variants', sale)
  const isLocked = lock !== undefined
  const units = variants.map((variant) => readVariant(variant).stock).filter((n) => n > 0)
  const find = (selector: string) => place.current?.querySelector<HTMLElement>(selector)

  function add(): void {
    change({ variants: [...variants, { name: '', id: '', stock: variants.at(-1)?.stock ?? '' }] })
    focusLater(() => find(`#field-variants-${variants.length}-name`))
  }
  function remove(i: number): void {
    change({ variants: variants.filter((_, other) => other !== i) })
    const nearest = Math.min(i, variants.length - 2)
    focusLater(() => find(`[data-remove-variant="${nearest}"]`) ?? find('#variant-add'))
  }
  function enter(row: number, name: VariantField, value: string): void {
    if (name === 'id' && value !== '') typedIds.add(value)
    const changed = variants.map((variant, i) => (i === row ? { ...variant, [name]: value } : variant))
    const variant = variants[row]
    const others = variants.filter((_, i) => i !== row).map(({ id }) => id)
    const follows = name === 'name' && !isLocked && variant !== undefined && !typedIds.has(variant.id)
    change({ variants: follows && isSuggested(variant, others) ? withId(changed, row, others) : changed })
  }
  const cell = (i: number, name: VariantField) => ({
    field: {
      name: `variants.${i}.${name}`,
      label: voice.t(`variant.${name}`),
      error: error(`variants.${i}.${name}`),
    },
    value: variants[i]?.[name] ?? '',
    enter: (value: string) => enter(i, name, value),
    autocomplete: 'off',
  })
  return (
    <fieldset
      class="window-rows variant-rows"
      aria-describedby="variants-hint variants-error"
      hidden={isHidden}
      ref={place}
    >
      <legend>{voice.t('variant.title')}</legend>
      <p class="field__hint" id="variants-hint">
        {voice.t(lock ?? 'variant.hint')}
      </p>
      {!isLocked && <ProductFields fill={(made) => change({ variants: made })} />}
      <div class="window-rows__list">
        {variants.map((_, i) => (
          <fieldset key={i} class="window-row variant-row">
            <legend>{voice.t('variant.nth', { n: i + 1 })}</legend>
            <TextField {...cell(i, 'name')} maxlength={maxVariantName} />
            <TextField {...cell(i, 'id')} maxlength={16} autocapitalize="none" spellcheck={false} readonly={isLocked} />
            <TextField {...cell(i, 'stock')} inputmode="numeric" readonly={isLocked} />
            {!isLocked && (
              <button type="button" class="button button--plain" data-remove-variant={i} onClick={() => remove(i)}>
                {voice.t('variant.remove', { n: i + 1 })}
              </button>
            )}
          </fieldset>
        ))}
      </div>
      <p id="variants-sum" role="status">
        {variants.length > 0 && voice.t('variant.sum', { n: units.reduce((all, n) => all + n, 0) })}
      </p>
      <p class="field__error" id="variants-error">
        {error('variants')}
      </p>
      {!isLocked && (
        <button
          type="button"
          class="button button--plain"
          id="variant-add"
          hidden={variants.length >= maxVariants}
          onClick={add}
        >
          {voice.t('variant.add')}
        </button>
      )}
    </fieldset>
  )
}

/** The rows with the id in one of them that its name gives. */
function withId(variants: readonly VariantText[], row: number, others: readonly string[]): VariantText[] {
  return variants.map((variant, i) => (i === row ? { ...variant, id: idFor(variant.name, others) } : variant))
}

const idFor = (name: string, others: readonly string[]) =>
  name.trim() === '' ? '' : suggestedVariantId(name.trim(), others)

/** Whether the id of the row is one that its name gives, so that it goes on following the name. */
function isSuggested({ name, id }: VariantText, others: readonly string[]): boolean {
  return id === '' || id === suggestedVariantId(name, []) || id === idFor(name, others)
}

/**
 * Two lists, such as colours and sizes, whose pairs become the variants of the form (N1). The part of the form with the
 * lists, folded at first; `fill` gets the variants that they give.
 */
function ProductFields({ fill }: { fill(variants: readonly VariantText[]): void }) {
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
