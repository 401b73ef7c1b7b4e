/** The form for a new sale and for an edit. Every complaint stands at its field, in the marketer's language. */
import { editableOnceStarted, type SaleDefinition } from '../../../core/sale.ts'
import { make, setText } from '../dom.ts'
import { type ConsoleSale, createSale, editSale, getLive } from './api.ts'
import {
  errorOf,
  type FieldError,
  type FieldName,
  type FormErrors,
  type FormText,
  fieldNames,
  readForm,
  slugOf,
  textOf,
  toLocalInput,
} from './values.ts'
import { type Desk, type Leave, reasonText } from './view.ts'

type Input = HTMLInputElement | HTMLTextAreaElement

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
  const inputs = new Map<FieldName, { input: Input; error: HTMLElement }>()
  const started = sale !== undefined && sale.epoch > 0
  const unlocked: readonly string[] = editableOnceStarted

  function field(
    name: FieldName,
    label: Parameters<typeof voice.t>[0],
    props: Record<string, string | number> = {},
    hint?: string,
  ): HTMLElement {
    const id = `field-${name.replaceAll('.', '-')}`
    const locked =
      sale !== undefined &&
      (name === 'saleId' ||
        (started && !unlocked.includes(name.split('.')[0] ?? '')) ||
        (name === 'stock' && sale.warmed))
    const tag = name === 'description' ? 'textarea' : 'input'
    const input = make(tag, {
      id,
      name,
      autocomplete: 'off',
      'aria-describedby': `${id}-hint ${id}-error`,
      ...props,
      readonly: locked,
    })
    input.value = text[name]
    const error = make('p', { class: 'field__error', id: `${id}-error` })
    inputs.set(name, { input, error })
    const note = locked && name !== 'saleId' ? voice.t('form.locked') : (hint ?? '')
    return make(
      'div',
      { class: 'field', 'data-field': name },
      make('label', { for: id }, voice.t(label)),
      input,
      make('p', { class: 'field__hint', id: `${id}-hint` }, note),
      error,
    )
  }

  const preview = make('img', { class: 'preview', id: 'preview', alt: '', width: 320, height: 320 })
  const previewNote = make('p', { class: 'field__hint' })
  const number = { inputmode: 'numeric' }
  const zone = voice.t('form.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })
  const times = { type: 'datetime-local', step: 1 }
  const save = make('button', { type: 'submit', class: 'button', id: 'save' }, voice.t('form.save'))

  const group = (title: Parameters<typeof voice.t>[0], ...fields: Node[]) =>
    make('fieldset', { class: 'group' }, make('legend', {}, voice.t(title)), ...fields)

  const form = make(
    'form',
    {
      class: 'form form--sale',
      id: 'sale-form',
      novalidate: true,
      submit: (event) => {
        event.preventDefault()
        void send()
      },
    },
    group(
      'form.what',
      field('title', 'form.title', { maxlength: 120 }),
      field(
        'saleId',
        'form.saleId',
        { autocapitalize: 'none', spellcheck: 'false', maxlength: 40 },
        voice.t('form.saleIdHint'),
      ),
      field('description', 'form.description', { rows: 5, maxlength: 4000 }),
      field(
        'image',
        'form.image',
        { inputmode: 'url', spellcheck: 'false', list: 'pictures' },
        voice.t('form.imageHint'),
      ),
      make('div', { class: 'preview__frame' }, preview, previewNote),
      options('pictures', demoPictures),
    ),
    group(
      'form.howMuch',
      field('price', 'form.price', { inputmode: 'decimal' }),
      field('currency', 'form.currency', { maxlength: 3, autocapitalize: 'characters', list: 'currencies' }),
      field('stock', 'form.stock', { inputmode: 'text' }, voice.t('form.stockHint')),
      options('currencies', ['CNY', 'EUR', 'USD', 'JPY', 'GBP']),
    ),
    group(
      'form.when',
      field('startsAt', 'form.startsAt', times, zone),
      field('endsAt', 'form.endsAt', times),
    ),
    group(
      'form.rules',
      field('limitPerShopper', 'form.limitPerShopper', number),
      field('maxPerOrder', 'form.maxPerOrder', number),
      field('paymentWindowSeconds', 'form.paymentWindow', number),
      field('throttle.perShopper.limit', 'form.throttleLimit', number),
      field('throttle.perShopper.windowSeconds', 'form.throttleWindow', number),
    ),
    make(
      'div',
      { class: 'actions' },
      make(
        'a',
        { class: 'button button--plain', href: sale === undefined ? '#/' : `#/sale/${sale.saleId}` },
        voice.t('form.cancel'),
      ),
      save,
    ),
  )

  const values = (): FormText => {
    const now = { ...text }
    for (const name of fieldNames) now[name] = inputs.get(name)?.input.value ?? ''
    return now
  }

  const complain = (errors: FormErrors) => {
    let first: Input | undefined
    for (const name of fieldNames) {
      const place = inputs.get(name)
      if (place === undefined) continue
      const error = errors[name]
      place.input.setAttribute('aria-invalid', String(error !== undefined))
      setText(place.error, error === undefined ? '' : voice.t(error.key, error.args))
      if (error !== undefined) first ??= place.input
    }
    if (first === undefined) return
    desk.tell(voice.t('form.fix'))
    first.focus()
  }

  async function send(): Promise<void> {
    const entered = values()
    const read = readForm(entered)
    complain(read.ok ? {} : read.errors)
    if (!read.ok) return
    save.disabled = true
    desk.tell(voice.t('form.saving'))
    const answer =
      sale === undefined
        ? await createSale(read.definition)
        : await editSale(sale.saleId, changes(read.definition, sale))
    save.disabled = false
    if (answer.ok) return desk.go(`#/sale/${read.definition.saleId}`)
    const problem = answer.reply.kind === 'refused' ? answer.reply.problem : undefined
    const field = fieldNames.find((name) => name === problem?.field)
    if (field !== undefined)
      complain({ [field]: problem?.code === 'conflict' ? refusedField(field) : errorOf(field, entered) })
    else if (problem?.code === 'sign-in-required') desk.explain(answer.reply)
    desk.tell(reasonText(voice, answer.reply))
  }

  const image = inputs.get('image')?.input
  const look = () => {
    setText(previewNote, '')
    preview.src = image?.value ?? ''
  }
  preview.addEventListener('error', () => setText(previewNote, voice.t('form.imageBroken')))
  image?.addEventListener('change', look)
  look()
  suggestId(inputs.get('title')?.input, inputs.get('saleId')?.input, sale === undefined)

  desk.tell('')
  desk.show(make('h1', {}, voice.t(sale === undefined ? 'form.create' : 'form.edit')), form)
}

const demoPictures = ['mug', 'lamp', 'tea', 'sneaker', 'ticket'].map((name) => `/assets/pictures/${name}.svg`)

function options(id: string, values: readonly string[]): HTMLElement {
  return make('datalist', { id }, ...values.map((value) => make('option', { value })))
}

/** The id follows the title until the marketer writes one. */
function suggestId(title: Input | undefined, id: Input | undefined, fresh: boolean): void {
  if (title === undefined || id === undefined || !fresh) return
  let own = false
  id.addEventListener('input', () => {
    own = id.value !== ''
  })
  title.addEventListener('input', () => {
    if (!own) id.value = slugOf(title.value)
  })
}

/** A well-formed value that the sale's state does not allow. */
function refusedField(field: FieldName): FieldError {
  return { key: field === 'saleId' ? 'error.taken' : 'form.locked' }
}

/** Only what differs: fields fixed since the first opening are not sent at all. */
function changes(next: SaleDefinition, sale: ConsoleSale): Partial<SaleDefinition> {
  const { saleId: _id, kind: _kind, ...editable } = next
  const present: Record<string, unknown> = sale
  const changed = Object.entries(editable).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(present[name]),
  )
  return Object.fromEntries(changed)
}

function freshText({ voice }: Desk): FormText {
  const start = Math.ceil((Date.now() + 600_000) / 60_000) * 60_000
  return {
    saleId: '',
    title: '',
    description: '',
    image: '/assets/pictures/mug.svg',
    price: '',
    currency: voice.locale().startsWith('zh') ? 'CNY' : 'EUR',
    stock: '100',
    limitPerShopper: '1',
    maxPerOrder: '1',
    startsAt: toLocalInput(start),
    endsAt: toLocalInput(start + 3_600_000),
    paymentWindowSeconds: '15',
    'throttle.perShopper.limit': '5',
    'throttle.perShopper.windowSeconds': '60',
  }
}
