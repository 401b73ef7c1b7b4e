/** The groups of the sale form: what is asked for, in which order, and in which words for each kind of sale. */
import type { Sale, SaleKind } from '../../../core/sale.ts'
import { make, setText } from '../dom.ts'
import type { Place } from './field-errors.ts'
import { formFields, picturePreview, suggestId } from './form-fields.ts'
import type { FormText } from './form-text.ts'
import { ownWindowText } from './form-text.ts'
import { gateFields } from './gate-fields.ts'
import { type Key, sayFor } from './kind-words.ts'
import type { Labelled } from './labelled.ts'
import { lockOf } from './locks.ts'
import type { ConsoleVoice } from './view.ts'
import { windowRows } from './window-fields.ts'

const pictures = ['mug', 'lamp', 'tea', 'teapot', 'sneaker', 'ticket', 'packet'].map(pictureNamed)
const currencies = ['CNY', 'EUR', 'USD', 'JPY', 'GBP']

const pictureOfKind = { goods: 'mug', coupon: 'ticket', 'red-packet': 'packet' } as const

/** The picture that a new sale of this kind begins with. */
export function usualPicture(kind: SaleKind): string {
  return pictureNamed(pictureOfKind[kind])
}

function pictureNamed(name: string): string {
  return `/assets/pictures/${name}.svg`
}

/** `sale` is the one that is edited; undefined for a new one. */
export function formGroups(voice: ConsoleVoice, text: FormText, sale: Sale | undefined) {
  let { kind } = text
  const plain = formFields(voice, text, sale)
  const { field, fields, input } = plain
  const legends = new Map<Key, HTMLElement>()
  const group = (title: Key, ...parts: Node[]) => {
    const legend = make('legend', {}, voice.t(title))
    legends.set(title, legend)
    return make('fieldset', { class: 'group' }, legend, ...parts)
  }
  const number = { inputmode: 'numeric' }
  const money = { inputmode: 'decimal' }
  const id = { autocapitalize: 'none', spellcheck: 'false', maxlength: 40 }
  const address = { inputmode: 'url', spellcheck: 'false', list: 'pictures' }
  const code = { maxlength: 3, autocapitalize: 'characters', list: 'currencies' }
  const time = { type: 'datetime-local', step: 1 }
  const zone = voice.t('form.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })

  const what = group(
    'form.what',
    field('title', 'form.title', { maxlength: 120 }),
    field('saleId', 'form.saleId', id, voice.t('form.saleIdHint')),
    field('description', 'form.description', { rows: 5, maxlength: 4000 }),
    field('image', 'form.image', address, voice.t('form.imageHint')),
    options('pictures', pictures),
  )
  what.append(picturePreview(voice, input('image')))
  if (sale === undefined) suggestId(input('title'), input('saleId'))

  const stockNote = make('p', { class: 'field__hint' })
  const howMuch = group(
    'form.howMuch',
    field('packets.count', 'form.packets', number),
    field('packets.totalAmount', 'form.total', money, voice.t('form.totalHint')),
    field('price', 'form.price', money),
    field('stock', 'form.stock', {}, voice.t('form.stockHint')),
    field('currency', 'form.currency', code),
    stockNote,
    options('currencies', currencies),
  )
  const when = group(
    'form.when',
    make('p', { class: 'field__hint', id: 'zone' }, zone),
    field('startsAt', 'form.startsAt', time),
    field('endsAt', 'form.endsAt', time),
  )
  const validity = group(
    'form.validity',
    make('p', { class: 'field__hint', id: 'validity-hint' }, voice.t('form.validityHint')),
    field('coupons.validFrom', 'form.validFrom', time),
    field('coupons.validUntil', 'form.validUntil', time),
  )
  when.setAttribute('aria-describedby', 'zone')
  validity.setAttribute('aria-describedby', 'validity-hint zone')
  const rules = group(
    'form.rules',
    field('limitPerShopper', 'form.limitPerShopper', number),
    field('maxPerOrder', 'form.maxPerOrder', number),
    field('paymentWindowSeconds', 'form.paymentWindow', money),
    field('paymentGraceSeconds', 'form.paymentGrace', number),
  )
  const gate = gateFields(voice, plain)

  let hasWindows = false
  const windows = windowRows(voice, {
    kind,
    windows: text.windows,
    lock: lockOf('windows', sale),
    sale: () => ownWindowText(entered()),
    onChange(some) {
      hasWindows = some
      show()
    },
  })
  when.append(windows.element)

  function show(): void {
    const say = sayFor(voice, kind)
    for (const [key, legend] of legends) setText(legend, say(key))
    plain.show(kind, hasWindows)
    stockNote.hidden = !hasWindows
    setText(stockNote, say('window.stockNote'))
    fields.get('currency')?.advise(say(lockOf('currency', sale) ?? 'form.currencyHint'))
    rules.hidden = kind === 'red-packet'
    validity.hidden = kind !== 'coupon'
  }

  /** What stands in the form now. */
  function entered(): FormText {
    return { ...plain.values(), kind, windows: windows.values() }
  }

  return {
    elements: { what, howMuch, when, validity, rules, gate },
    entered,
    /** Every input by the place of its complaints. */
    inputs: (): [Place, Pick<Labelled, 'complain'>][] => [
      ...fields,
      ...windows.fields(),
      ['windows', windows],
    ],
    /**
     * Switches to the fields of that kind of sale. An image that was not chosen by hand changes
     * with it.
     */
    follow(other: SaleKind): void {
      const image = input('image')
      if (image?.value === usualPicture(kind)) image.value = usualPicture(other)
      image?.dispatchEvent(new Event('change'))
      kind = other
      windows.follow(kind)
    },
  }
}

function options(id: string, values: readonly string[]): HTMLElement {
  return make('datalist', { id }, ...values.map((value) => make('option', { value })))
}
