/**
 * The sale form in the page: its inputs, every error at its field, and the news at its save button.
 */
import type { Sale } from '../../../core/sale.ts'
import type { SaleKind } from '../../../core/settings.ts'
import { make } from '../dom.ts'
import { errorOf, type FieldError, type FormErrors, type Place } from './field-errors.ts'
import { formGroups } from './form-groups.ts'
import type { FormText } from './form-text.ts'
import { kindChoice } from './kind-choice.ts'
import { keyFor } from './kind-words.ts'
import { lockOf } from './locks.ts'
import { splitPreview } from './split-preview.ts'
import type { ConsoleVoice } from './view.ts'
import { wavesIn } from './waves-text.ts'

const wrong = '[aria-invalid="true"]'

/** Filled with `text`; `sale` is the one that is edited, undefined for a new one. */
export function saleForm(voice: ConsoleVoice, text: FormText, sale: Sale | undefined, send: () => void) {
  const groups = formGroups(voice, text, sale)
  const { entered } = groups
  const preview = packetPreview(voice, groups, sale)
  // It stands at the button that was pressed: the line at the top of the page is far out of sight.
  const news = make('div', { class: 'form__news', id: 'form-news', role: 'alert' })
  const save = make('button', { type: 'submit', class: 'button', id: 'save' }, voice.t('form.save'))
  const back = sale === undefined ? '#/' : `#/sale/${sale.saleId}`
  const cancel = make('a', { class: 'button button--plain', href: back }, voice.t('form.cancel'))
  const follow = (kind: SaleKind) => {
    groups.follow(kind)
    preview.look()
  }
  const choice = kindChoice(voice, text.kind, sale === undefined ? follow : undefined)
  const { what, languages, howMuch, when, validity, rules, gate } = groups.elements
  const submit = (event: Event) => {
    event.preventDefault()
    send()
  }
  const element = make(
    'form',
    { class: 'form form--sale', id: 'sale-form', novalidate: true, submit, input: preview.look },
    ...[choice, what, languages, howMuch, when, preview.element, validity, rules, gate, news],
    make('div', { class: 'actions' }, cancel, save),
  )

  function announce(...nodes: (Node | string)[]): void {
    delete news.dataset.tone
    news.replaceChildren(...nodes)
  }

  preview.look()
  return {
    element,
    entered,
    /** Shows news at the save button. */
    announce,
    /** Shows whether a request is under way; the save button stays focusable meanwhile. */
    setSaving(isSaving: boolean): void {
      if (!isSaving) {
        save.removeAttribute('aria-disabled')
        return
      }
      save.setAttribute('aria-disabled', 'true')
      announce(voice.t('form.saving'))
      news.dataset.tone = 'calm'
    },
    /** Shows every error at its field and clears the rest; the first wrong input gets the focus. */
    complain(errors: FormErrors): void {
      const { kind } = entered()
      for (const [place, input] of groups.inputs()) input.complain(errorText(voice, kind, errors[place]))
      for (const part of element.querySelectorAll('details')) part.open ||= part.querySelector(wrong) !== null
      element.querySelector<HTMLElement>(wrong)?.focus()
    },
  }
}

/** The example of a split, which also marks the amounts that are too small for their packets. */
function packetPreview(
  voice: ConsoleVoice,
  { entered, inputs }: ReturnType<typeof formGroups>,
  sale: Sale | undefined,
) {
  const isSplit = lockOf('packets.count', sale) !== undefined
  let short: readonly Place[] = []
  const preview = splitPreview(
    voice,
    () => ({ typed: wavesIn(entered()), currency: entered().currency }),
    (typed) => {
      const text = entered()
      const places = typed.kind === 'short' ? typed.places : []
      const present = new Map(inputs())
      for (const place of short) present.get(place)?.complain('')
      for (const place of places) {
        present.get(place)?.complain(errorText(voice, text.kind, errorOf(place, text)))
      }
      short = places
    },
  )
  return {
    element: preview.element,
    /** Looks at the form again after it changed. */
    look(): void {
      // Once the packets are split for good, an example would pass for the truth.
      preview.element.hidden = entered().kind !== 'red-packet' || isSplit
      if (!preview.element.hidden) preview.look()
    },
  }
}

function errorText(voice: ConsoleVoice, kind: SaleKind, error: FieldError | undefined): string {
  return error === undefined ? '' : voice.t(keyFor(kind, error.key), error.args)
}
