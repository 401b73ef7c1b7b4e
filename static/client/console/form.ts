/** The form for a new sale and for an edit. Every complaint stands at its field, in the marketer's language. */
import { make } from '../dom.ts'
import { createSale, editSale, getLive } from './api.ts'
import { formFields, picturePreview, suggestId } from './form-fields.ts'
import type { ConsoleSale } from './read.ts'
import { toLocalInput } from './typed.ts'
import {
  editOf,
  errorOf,
  type FieldError,
  type FieldName,
  type FormText,
  fieldNames,
  readForm,
  textOf,
} from './values.ts'
import { type Desk, type Leave, reasonText } from './view.ts'

const pictures = ['mug', 'lamp', 'tea', 'sneaker', 'ticket'].map((name) => `/assets/pictures/${name}.svg`)
const currencies = ['CNY', 'EUR', 'USD', 'JPY', 'GBP']

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
  const { field, input, values, complain } = formFields(voice, text, sale)
  const group = (title: Parameters<typeof voice.t>[0], ...fields: Node[]) =>
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

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const form = make(
    'form',
    { class: 'form form--sale', id: 'sale-form', novalidate: true, submit },
    what,
    group(
      'form.howMuch',
      field('price', 'form.price', { inputmode: 'decimal' }),
      field('currency', 'form.currency', code),
      field('stock', 'form.stock', {}, voice.t('form.stockHint')),
      options('currencies', currencies),
    ),
    group('form.when', field('startsAt', 'form.startsAt', time, zone), field('endsAt', 'form.endsAt', time)),
    group(
      'form.rules',
      field('limitPerShopper', 'form.limitPerShopper', number),
      field('maxPerOrder', 'form.maxPerOrder', number),
      field('paymentWindowSeconds', 'form.paymentWindow', { inputmode: 'decimal' }),
      field('paymentGraceSeconds', 'form.paymentGrace', number),
      field('throttle.perShopper.limit', 'form.throttleLimit', number),
      field('throttle.perShopper.windowSeconds', 'form.throttleWindow', number),
    ),
    make(
      'div',
      { class: 'actions' },
      make('a', { class: 'button button--plain', href: back }, voice.t('form.cancel')),
      save,
    ),
  )

  async function send(): Promise<void> {
    const entered = values()
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
    const wrong = fieldNames.find((name) => name === problem?.field)
    if (wrong !== undefined) {
      complain({ [wrong]: problem?.code === 'conflict' ? refused(wrong) : errorOf(wrong, entered) })
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
function refused(field: FieldName): FieldError {
  return { key: field === 'saleId' ? 'error.taken' : 'form.locked' }
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
    paymentWindowSeconds: '15',
    paymentGraceSeconds: '120',
    'throttle.perShopper.limit': '5',
    'throttle.perShopper.windowSeconds': '60',
  }
}
