/**
 * The variants of a sale in its form (N1): rows with a name, an id and a stock, typed one by one or
 * made of two lists.
 */
import { maxVariantName, maxVariants } from '../../../../core/sale/variants.ts'
import { make, setText } from '../../lib/dom.ts'
import { type Labelled, labelled } from '../../lib/labelled.ts'
import type { Key } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import type { Place } from './field-errors.ts'
import { productFields } from './product-fields.ts'
import {
  readVariant,
  suggestedVariantId,
  type VariantField,
  type VariantText,
  variantInputs,
} from './variant-text.ts'

/** `hasOwnId`: the id was typed, and does not follow the name. */
type Row = { fields: Record<VariantField, Labelled>; hasOwnId: boolean }

type Options = {
  variants: readonly VariantText[]
  /** Why only the names can change any more; undefined while all of it can. */
  lock: Key | undefined
  /** Called with what is entered after each change. */
  onChange(variants: readonly VariantText[]): void
}

export function variantRows(voice: ConsoleVoice, { variants, lock, onChange }: Options) {
  let rows: Row[] = []
  const isLocked = lock !== undefined
  const list = make('div', { class: 'window-rows__list' })
  const sum = make('p', { id: 'variants-sum', role: 'status' })
  const error = make('p', { class: 'field__error', id: 'variants-error' })
  const add = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'variant-add', click: addRow },
    voice.t('variant.add'),
  )
  const product = productFields(voice, (texts) => {
    draw(texts)
    notifyForm()
  })
  const element = make(
    'fieldset',
    { class: 'window-rows variant-rows', 'aria-describedby': 'variants-hint variants-error' },
    make('legend', {}, voice.t('variant.title')),
    make('p', { class: 'field__hint', id: 'variants-hint' }, voice.t(lock ?? 'variant.hint')),
    ...(isLocked ? [] : [product]),
    ...[list, sum, error],
    ...(isLocked ? [] : [add]),
  )

  function draw(texts: readonly VariantText[]): void {
    rows = texts.map((text, i) => newRow(text, i))
    list.replaceChildren(...rows.map(rowElement))
    sumUp(values())
  }

  function sumUp(texts: readonly VariantText[]): void {
    const units = texts.map((text) => readVariant(text).stock).filter((n) => n > 0)
    const total = units.reduce((all, n) => all + n, 0)
    setText(sum, texts.length === 0 ? '' : voice.t('variant.sum', { n: total }))
    add.hidden = rows.length >= maxVariants
  }

  /** `i` is the row's number from 0, which names its inputs. */
  function newRow(text: VariantText, i: number): Row {
    const cell = (name: VariantField, props: Record<string, string | number | boolean>) => {
      const input = make('input', { autocomplete: 'off', ...props })
      input.value = text[name]
      return labelled(`variants.${i}.${name}`, voice.t(`variant.${name}`), '', input)
    }
    const fields = {
      name: cell('name', { maxlength: maxVariantName }),
      id: cell('id', { maxlength: 16, autocapitalize: 'none', spellcheck: 'false', readonly: isLocked }),
      stock: cell('stock', { inputmode: 'numeric', readonly: isLocked }),
    }
    const row = { fields, hasOwnId: isLocked || !isSuggested(text) }
    fields.name.input.addEventListener('input', () => {
      if (!row.hasOwnId) fields.id.input.value = idFor(row)
    })
    fields.id.input.addEventListener('input', () => {
      row.hasOwnId = fields.id.input.value !== ''
    })
    return row
  }

  function idFor(row: Row): string {
    const name = row.fields.name.input.value.trim()
    const others = rows.filter((other) => other !== row).map(({ fields }) => fields.id.input.value)
    return name === '' ? '' : suggestedVariantId(name, others)
  }

  function rowElement({ fields }: Row, i: number): HTMLElement {
    const n = { n: i + 1 }
    const remove = { type: 'button', class: 'button button--plain', 'data-remove-variant': i }
    return make(
      'fieldset',
      { class: 'window-row variant-row' },
      make('legend', {}, voice.t('variant.nth', n)),
      ...variantInputs.map((name) => fields[name].element),
      isLocked
        ? undefined
        : make('button', { ...remove, click: () => removeRow(i) }, voice.t('variant.remove', n)),
    )
  }

  function addRow(): void {
    const texts = values()
    draw([...texts, { name: '', id: '', stock: texts.at(-1)?.stock ?? '' }])
    notifyForm()
    rows.at(-1)?.fields.name.input.focus()
  }

  function removeRow(i: number): void {
    draw(values().filter((_, other) => other !== i))
    notifyForm()
    const nearest = list.querySelector<HTMLElement>(`[data-remove-variant="${Math.min(i, rows.length - 1)}"]`)
    ;(nearest ?? add).focus()
  }

  /** A row that comes or goes changes what was entered, as typing does. */
  function notifyForm(): void {
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function values(): VariantText[] {
    return rows.map(({ fields: { name, id, stock } }) => ({
      ...{ name: name.input.value, id: id.input.value, stock: stock.input.value },
    }))
  }

  element.addEventListener('input', () => {
    const texts = values()
    sumUp(texts)
    onChange(texts)
  })
  draw(variants)
  return {
    element,
    values,
    /** The inputs by the place of their complaints. */
    fields: (): [Place, Labelled][] =>
      rows.flatMap(({ fields }, i) =>
        variantInputs.map((name): [Place, Labelled] => [`variants.${i}.${name}`, fields[name]]),
      ),
    complain: (text: string) => setText(error, text),
  }
}

/** Whether the id of the row is one that its name gives, so that it goes on following the name. */
function isSuggested({ name, id }: VariantText): boolean {
  return id === '' || id === suggestedVariantId(name, [])
}
