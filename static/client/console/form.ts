/** The form for a new sale and for an edit. Every complaint stands at its field, in the marketer's language. */
import { defaultThrottle } from '../../../core/sale.ts'
import { make } from '../dom.ts'
import { createSale, editSale, getLive } from './api.ts'
import { errorOf, type FieldError, type FormErrors, type Place, placeOf } from './field-errors.ts'
import { formFields, isLocked, type Key, picturePreview, suggestId } from './form-fields.ts'
import type { FormText } from './form-text.ts'
import { gateFields } from './gate-fields.ts'
import type { ConsoleSale } from './read.ts'
import { slotRows } from './slot-fields.ts'
import { slotFields } from './slot-text.ts'
import { toLocalInput } from './typed.ts'
import { editOf, gateText, readForm, textOf } from './values.ts'
import { type Desk, type Leave, reasonText } from './view.ts'

const pictures = ['mug', 'lamp', 'tea', 'sneaker', 'ticket'].map((name) => `/assets/pictures/${name}.svg`)
const currencies = ['CNY', 'EUR', 'USD', 'JPY', 'GBP']
const wrong = '[aria-invalid="true"]'

/** Opens the form; with a sale id, for that sale. */
export function openForm(desk: Desk, saleId?: string): Leave {
  let left = false
  if (saleId === undefined) draw(desk, freshText(desk), undefined)
  else
    void getLive(saleId).then((answer) => {
      if (left) return
      if (answer.ok) draw(desk, textOf(answer.value.sale), answer.value.sale)
      else desk.explain(answer.reply)
    })
  return () => {
    left = true
  }
}

function draw(desk: Desk, text: FormText, sale: ConsoleSale | undefined): void {
  const { voice } = desk
  const plain = formFields(voice, text, sale)
  const { field, input } = plain
  const group = (title: Key, ...fields: Node[]) =>
    make('fieldset', { class: 'group' }, make('legend', {}, voice.t(title)), ...fields)
  const number = { inputmode: 'numeric' }
  const id = { autocapitalize: 'none', spellcheck: 'false', maxlength: 40 }
  const address = { inputmode: 'url', spellcheck: 'false', list: 'pictures' }
  const code = { maxlength: 3, autocapitalize: 'characters', list: 'currencies' }
  const time = { type: 'datetime-local', step: 1 }
  const zone = voice.t('form.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })
  const save = make('button', { type: 'submit', class: 'button', id: 'save' }, voice.t('form.save'))
  const back = sale === undefined ? '#/' : `#/sale/${sale.saleId}`

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

  const stockNote = make('p', { class: 'field__hint' }, voice.t('slot.stockNote'))
  const howMuch = group(
    'form.howMuch',
    field('price', 'form.price', { inputmode: 'decimal' }),
    field('currency', 'form.currency', code),
    field('stock', 'form.stock', {}, voice.t('form.stockHint')),
    stockNote,
    options('currencies', currencies),
  )
  const when = group(
    'form.when',
    make('p', { class: 'field__hint', id: 'zone' }, zone),
    field('startsAt', 'form.startsAt', time),
    field('endsAt', 'form.endsAt', time),
  )
  when.setAttribute('aria-describedby', 'zone')
  const slots = slotRows(voice, {
    slots: text.slots,
    locked: isLocked('slots', sale),
    sale: plain.values,
    onChange(hasSlots) {
      stockNote.hidden = !hasSlots
      for (const name of slotFields) plain.fields.get(name)?.element.toggleAttribute('hidden', hasSlots)
    },
  })
  when.append(slots.element)

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const form = make(
    'form',
    { class: 'form form--sale', id: 'sale-form', novalidate: true, submit },
    what,
    howMuch,
    when,
    group(
      'form.rules',
      field('limitPerShopper', 'form.limitPerShopper', number),
      field('maxPerOrder', 'form.maxPerOrder', number),
      field('paymentWindowSeconds', 'form.paymentWindow', { inputmode: 'decimal' }),
      field('paymentGraceSeconds', 'form.paymentGrace', number),
    ),
    gateFields(voice, plain),
    make(
      'div',
      { class: 'actions' },
      make('a', { class: 'button button--plain', href: back }, voice.t('form.cancel')),
      save,
    ),
  )

  /** Shows every error at its field and clears the rest; the first wrong input of the page gets the focus. */
  function complain(errors: FormErrors): void {
    const words = (error: FieldError | undefined) =>
      error === undefined ? '' : voice.t(error.key, error.args)
    const places: [Place, { complain(text: string): void }][] = [...plain.fields, ...slots.fields()]
    for (const [place, field] of [...places, ['slots', slots] as const]) field.complain(words(errors[place]))
    for (const part of form.querySelectorAll('details')) part.open ||= part.querySelector(wrong) !== null
    form.querySelector<HTMLElement>(wrong)?.focus()
  }

  async function send(): Promise<void> {
    const entered = { ...plain.values(), slots: slots.values() }
    const read = readForm(entered)
    complain(read.ok ? {} : read.errors)
    if (!read.ok) return desk.tell(voice.t('form.fix'))
    save.disabled = true
    desk.tell(voice.t('form.saving'))
    const { definition } = read
    const answer =
      sale === undefined
        ? await createSale(definition)
        : await editSale(sale.saleId, editOf(text, entered, definition))
    save.disabled = false
    if (answer.ok) return desk.go(`#/sale/${definition.saleId}`)
    const problem = answer.reply.kind === 'refused' ? answer.reply.problem : undefined
    const place = placeOf(problem?.field ?? '', entered)
    if (place !== undefined) {
      complain({ [place]: problem?.code === 'conflict' ? refused(place, sale) : errorOf(place, entered) })
    }
    // Leaving the form here would lose what was typed, so even a lost session is only told.
    desk.tell(reasonText(voice, answer.reply))
  }

  desk.tell('')
  desk.show(make('h1', {}, voice.t(sale === undefined ? 'form.create' : 'form.edit')), form)
}

function options(id: string, values: readonly string[]): HTMLElement {
  return make('datalist', { id }, ...values.map((value) => make('option', { value })))
}

/** A well-formed value that the sale's state does not allow. */
function refused(place: Place, sale: ConsoleSale | undefined): FieldError {
  if (place === 'saleId') return { key: 'error.taken' }
  const isStock = place === 'stock' || place === 'slots.0.stock'
  return { key: isStock && sale?.epoch === 0 ? 'form.onShelf' : 'form.locked' }
}

function freshText({ voice }: Desk): FormText {
  const start = Math.ceil((Date.now() + 600_000) / 60_000) * 60_000
  return {
    saleId: '',
    title: '',
    description: '',
    image: pictures[0] ?? '',
    price: '',
    currency: voice.locale().startsWith('zh') ? 'CNY' : 'EUR',
    stock: '100',
    limitPerShopper: '1',
    maxPerOrder: '1',
    startsAt: toLocalInput(start),
    endsAt: toLocalInput(start + 3_600_000),
    slots: [],
    paymentWindowSeconds: '15',
    paymentGraceSeconds: '120',
    ...gateText({ admissionRatio: 1.2, minLevel: 0, challenge: 'off', throttle: defaultThrottle }),
  }
}
