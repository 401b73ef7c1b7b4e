/**
 * Asks for a delivery address in a dialog of its own, because the page may be redrawn while a shopper types. The country
 * determines the other fields and their order.
 */
import type { Fetch } from '../../client/http.ts'
import type { AddressForm, DeliveryView } from '../../core/api/delivery.ts'
import { maxDeliveryText, maxEmail, maxPhone } from '../../core/body-limits.ts'
import type { OrderId } from '../../core/ids.ts'
import { type AddressPart, maxAddressLines } from '../../core/people/address-parts.ts'
import type { DeliveryRequest } from '../../core/people/delivery.ts'
import { countryNames } from '../../templates/messages/language.ts'
import { make, setText } from '../../web/dom.ts'
import { button } from '../../web/parts.ts'
import { oneOf } from '../../web/wire.ts'
import { optionalParts, saveDelivery } from './order-calls.ts'
import type { OrdersVoice } from './orders-voice.ts'

type Props = Readonly<Record<string, string | number>>

/** Autofill tokens (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill). */
const autocomplete: Readonly<Record<Exclude<AddressPart, 'addressLines'>, string>> = {
  name: 'name',
  organization: 'organization',
  dependentLocality: 'address-level3',
  locality: 'address-level2',
  administrativeArea: 'address-level1',
  postalCode: 'postal-code',
}

type Asked = {
  voice: OrdersVoice
  fetch: Fetch
  orderId: OrderId
  /** The stored address, with at least one form. */
  view: DeliveryView
  /** The label of the save button. */
  save: 'address.save' | 'address.saveAndPay'
}

/** Resolves with the saved address; undefined when the shopper stepped back. */
export function askAddress(asked: Asked): Promise<DeliveryView | undefined> {
  const { voice, view } = asked
  const nameOf = countryNames(voice.locale())
  const fields = new Map<string, Labelled>()
  const place = make('div', { class: 'stack' })
  const trouble = make('p', { class: 'order__trouble', role: 'alert' })
  const save = make('button', { class: 'button button--main', id: 'address-save' }, voice.t(asked.save))
  const country = make(
    'select',
    { autocomplete: 'shipping country', change: () => showFields() },
    ...view.forms.map((form) => make('option', { value: form.country }, nameOf(form.country))),
  )
  const first = labelled('postalCountry', voice.t('address.country'), '', country)
  const back = button(voice.t('address.notNow'), () => dialog.close(), { look: 'plain', id: 'address-back' })
  const form = make(
    'form',
    { class: 'form', novalidate: true, submit: (event) => void submit(event) },
    make('h2', { id: 'address-title', tabindex: -1 }, voice.t('address.title')),
    first.element,
    place,
    trouble,
    make('div', { class: 'dialog__actions actions' }, back, save),
  )
  const dialog = make('dialog', { class: 'dialog', id: 'address', 'aria-labelledby': 'address-title' }, form)
  let stored: DeliveryView | undefined
  let isSaving = false

  function presentForm(): AddressForm {
    const found = view.forms.find((one) => one.country === country.value) ?? view.forms[0]
    if (found === undefined) throw new Error('there is no country to choose')
    return found
  }

  /** Shows the fields of the country and keeps the typed texts. */
  function showFields(): void {
    const typed = new Map([...fields].map(([name, { input }]) => [name, input.value]))
    const args = { country: nameOf(country.value) }
    fields.clear()
    for (const field of fieldsOf(voice, presentForm(), args)) {
      field.input.value = typed.get(field.input.name) ?? storedText(view, field.input.name)
      fields.set(field.input.name, field)
    }
    place.replaceChildren(...[...fields.values()].map(({ element }) => element))
  }

  /** Marks the wrong fields and focuses the first one. */
  function complain(wrong: readonly string[], isMissing: boolean): void {
    for (const [name, field] of fields) field.complain(wrong.includes(name) ? errorAt(name, isMissing) : '')
    const name = [...fields.keys()].find((one) => wrong.includes(one))
    if (name === undefined) setText(trouble, wrong.length === 0 ? '' : voice.t('address.failed'))
    else fields.get(name)?.input.focus()
  }

  function errorAt(name: string, isMissing: boolean): string {
    const key = isMissing ? 'required' : oneOf(ownErrors, name)
    const { phone, postalCode } = presentForm().examples ?? {}
    const example = key === 'phone' ? phone : key === 'postalCode' ? postalCode : undefined
    const error = voice.t(`address.error.${key ?? 'text'}`, { country: nameOf(country.value) })
    return example === undefined ? error : `${error} ${voice.t('address.error.example', { example })}`
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving) return
    setText(trouble, '')
    const { required } = presentForm()
    const missing = [...fields]
      .filter(([name, { input }]) => isRequired(name, required) && input.value.trim() === '')
      .map(([name]) => name)
    complain(missing, true)
    if (missing.length > 0) return
    setSaving(true)
    const saved = await saveDelivery(asked.fetch, asked.orderId, requestIn(fields, country.value, voice))
    setSaving(false)
    if (saved.kind === 'saved') {
      stored = saved.view
      dialog.close()
    } else if (saved.kind === 'invalid') complain(saved.fields, false)
    else setText(trouble, voice.t(saved.kind === 'locked' ? 'address.locked' : 'address.failed'))
  }

  function setSaving(saving: boolean): void {
    isSaving = saving
    // Not `disabled`: that would remove the keyboard focus.
    save.setAttribute('aria-disabled', String(saving))
    setText(save, voice.t(saving ? 'address.saving' : asked.save))
  }

  country.value = view.delivery?.postalCountry ?? country.value
  if (country.value === '') country.selectedIndex = 0
  showFields()
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        dialog.remove()
        resolve(stored)
      },
      { once: true },
    )
  })
}

/** Inputs with their own error texts. */
const ownErrors = ['phone', 'email', 'postalCode'] as const

/** True when an input is required. Only the first address line may be. */
function isRequired(name: string, required: AddressForm['required']): boolean {
  if (name === 'phone' || name === 'email' || name === 'addressLines.0') return true
  return required.some((part) => part === name)
}

function fieldsOf(voice: OrdersVoice, form: AddressForm, args: { country: string }): Labelled[] {
  const field = (name: string, label: string, props: Props, hint = '') => {
    const needed = isRequired(name, form.required)
    const text = needed ? label : voice.t('address.optional', { label })
    const input = make('input', { ...props, ...(needed && { 'aria-required': 'true' }) })
    return labelled(name, text, hint, input)
  }
  const parts = form.parts.flatMap((part) => {
    if (part !== 'addressLines') {
      const props = { autocomplete: `shipping ${autocomplete[part]}`, maxlength: maxDeliveryText }
      return [field(part, voice.t(`address.${part}`), props)]
    }
    return Array.from({ length: maxAddressLines }, (_, i) => {
      const label = i === 0 ? voice.t('address.addressLines') : voice.t('address.line', { n: i + 1 })
      const props = { autocomplete: `shipping address-line${i + 1}`, maxlength: maxDeliveryText }
      return field(`addressLines.${i}`, label, props)
    })
  })
  const phone = { type: 'tel', inputmode: 'tel', autocomplete: 'shipping tel', maxlength: maxPhone }
  const email = { type: 'email', inputmode: 'email', autocomplete: 'email', maxlength: maxEmail }
  return [
    ...parts,
    field('phone', voice.t('address.phone'), phone, voice.t('address.phoneHint', args)),
    field('email', voice.t('address.email'), email, voice.t('address.emailHint')),
  ]
}

/** Returns the stored text of an input. */
function storedText({ delivery, email }: DeliveryView, name: string): string {
  if (name === 'email') return email ?? ''
  const [part, line] = name.split('.')
  if (line !== undefined) return delivery?.addressLines[Number(line)] ?? ''
  const stored: Readonly<Record<string, unknown>> = delivery ?? {}
  return String(stored[part ?? ''] ?? '')
}

/** Returns the request, without empty fields. */
function requestIn(fields: ReadonlyMap<string, Labelled>, postalCountry: string, voice: OrdersVoice): DeliveryRequest {
  const text = (name: string) => fields.get(name)?.input.value.trim() ?? ''
  const lines = Array.from({ length: maxAddressLines }, (_, i) => text(`addressLines.${i}`))
  return {
    name: text('name'),
    addressLines: lines.filter((line) => line !== ''),
    ...Object.fromEntries(optionalParts.map((part) => [part, text(part)]).filter(([, entered]) => entered !== '')),
    ...{ postalCountry, phone: text('phone'), email: text('email') },
    language: voice.language(),
  }
}

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

type Labelled = {
  element: HTMLElement
  input: Input
  /** Marks the input as wrong with a text; the empty text clears the mark. */
  complain(text: string): void
}

/** Wraps an input with its label, hint and error. `name` is the path of its field. */
function labelled(name: string, label: string, hint: string, input: Input): Labelled {
  const id = `field-${name.replaceAll('.', '-')}`
  const advice = make('p', { class: 'field__hint', id: `${id}-hint` }, hint)
  const error = make('p', { class: 'field__error', id: `${id}-error` })
  input.id = id
  input.name = name
  input.setAttribute('aria-describedby', `${id}-hint ${id}-error`)
  const caption = make('label', { for: id }, label)
  const element = make('div', { class: 'field', 'data-field': name }, caption, input, advice, error)
  return {
    element,
    input,
    complain(text) {
      input.setAttribute('aria-invalid', String(text !== ''))
      setText(error, text)
    },
  }
}
