/**
 * The sale form in the page: its inputs, every error at its field, and the news at its save button.
 */
import type { Sale } from '../../../../core/sale/sale.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { make } from '../../lib/dom.ts'
import { keyFor } from '../lib/kind-words.ts'
import { splitPreview } from '../packets/split-preview.ts'
import { wavesIn } from '../packets/waves-text.ts'
import type { ConsoleVoice } from '../view.ts'
import { errorOf, type FieldError, type FormErrors, type Place } from './field-errors.ts'
import { type AfterSave, formButtons } from './form-buttons.ts'
import type { checkForm } from './form-check.ts'
import { formGroups } from './form-groups.ts'
import { errorsBefore, firstWrong, numberOf, type StepName, stepBeside, stepOf } from './form-step.ts'
import { formSteps } from './form-steps.ts'
import { firstStart } from './form-summary.ts'
import type { FormText } from './form-text.ts'
import { verdictView } from './form-verdict.ts'
import { kindChoice } from './kind-choice.ts'
import { lockOf } from './locked-settings.ts'
import { type Complaints, stillWrong } from './still-wrong.ts'

const wrong = '[aria-invalid="true"]'

type Options = {
  /** What stands in the fields at first. */
  text: FormText
  /** The one that is edited; undefined for a new one. */
  sale: Sale | undefined
  /** The step of a new sale that is shown at first. */
  step: StepName
  /** What a new sale begins with, before its first field. */
  start: readonly HTMLElement[]
  /** What is wrong with what is entered, or the definition. */
  check(typed: FormText): ReturnType<typeof checkForm>
  send(outcome: AfterSave): void
}

/** A new sale has steps; one that is edited is a single page with the same groups. */
export function saleForm(voice: ConsoleVoice, { text, sale, step, start, check, send }: Options) {
  const groups = formGroups(voice, text, sale)
  const { entered } = groups
  const preview = packetPreview(voice, groups, sale)
  // It stands at the button that was pressed: the line at the top of the page is far out of sight.
  const news = make('div', { class: 'form__news', id: 'form-news', role: 'alert' })
  const goBack = () => go(stepBeside(steps.shown(), -1))
  const buttons = formButtons(voice, sale, { goBack, send })
  const follow = (kind: SaleKind) => {
    groups.follow(kind)
    preview.look()
  }
  const choice = kindChoice(voice, text.kind, sale === undefined ? follow : undefined)
  const { what, languages, howMuch, when, validity, rules, gate } = groups.elements
  const summary = verdictView(voice)
  const steps = formSteps(
    voice,
    {
      what: [...start, choice, what, howMuch, preview.element, languages],
      when: [when, validity, rules, gate],
      check: [summary.element],
    },
    go,
  )
  const submit = (event: Event) => {
    event.preventDefault()
    if (sale !== undefined || steps.shown() === 'check') send('draft')
    else go(stepBeside(steps.shown(), 1))
  }
  const element = make(
    'form',
    { class: 'form form--sale', id: 'sale-form', novalidate: true, submit, input: typed },
    sale === undefined ? steps.list : undefined,
    ...steps.sections,
    news,
    ...buttons.elements,
  )

  let complaints: Complaints = { errors: {} }

  function typed(): void {
    preview.look()
    if (Object.keys(complaints.errors).length > 0) correct()
  }

  /** What has become right is marked no longer, and with the last of it the line at the button goes. */
  function correct(): void {
    const text = entered()
    const checked = check(text)
    const errors = stillWrong(complaints, text, checked.ok ? {} : checked.errors)
    for (const [place, input] of groups.inputs()) {
      if (complaints.errors[place] !== undefined) input.complain(errorText(voice, text.kind, errors[place]))
    }
    complaints = { ...complaints, errors }
    steps.mark(new Set(Object.keys(errors).map(stepOf)))
    if (Object.keys(errors).length === 0) announce('')
  }

  function announce(...nodes: (Node | string)[]): void {
    delete news.dataset.tone
    news.replaceChildren(...nodes)
  }

  /**
   * Shows every error at its field and clears the rest; the first wrong input gets the focus. `refused` is
   * what the shop refused, if it found them.
   */
  function complain(errors: FormErrors, refused?: FormText): void {
    const { kind } = entered()
    complaints = { errors, ...(refused !== undefined && { refused }) }
    for (const [place, input] of groups.inputs()) input.complain(errorText(voice, kind, errors[place]))
    steps.mark(new Set(Object.keys(errors).map(stepOf)))
    const first = firstWrong(errors)
    if (sale === undefined && first !== undefined && first !== steps.shown()) show(first)
    for (const part of element.querySelectorAll('details')) part.open ||= part.querySelector(wrong) !== null
    element.querySelector<HTMLElement>(`.step:not([hidden]) ${wrong}`)?.focus()
  }

  /** Goes there unless a step before it has an error. */
  function go(to: StepName): void {
    const checked = check(entered())
    const errors = checked.ok ? {} : errorsBefore(to, checked.errors)
    const isForward = numberOf(to) > numberOf(steps.shown())
    if (isForward && Object.keys(errors).length > 0) {
      complain(errors)
      announce(voice.t('form.fix'))
      return
    }
    if (isForward) complain({})
    announce('')
    show(to)
  }

  function show(to: StepName): void {
    prepare(to)
    steps.show(to)
  }

  /** The buttons below that step, and what it says. */
  function prepare(to: StepName): void {
    const checked = to === 'check' ? check(entered()) : undefined
    const now = Date.now()
    const isReady = checked?.ok === true
    buttons.follow(to, isReady ? firstStart(checked.definition) : undefined, now)
    if (isReady) summary.draw(checked.definition, now)
  }

  preview.look()
  prepare(step)
  if (sale === undefined) steps.begin(step)
  else steps.flatten()
  return {
    element,
    entered,
    announce,
    complain,
    /** The step that is shown. */
    step: steps.shown,
    /** Shows whether a request is under way; the save button stays focusable meanwhile. */
    setSaving(isSaving: boolean): void {
      buttons.setSaving(isSaving)
      if (!isSaving) return
      announce(voice.t('form.saving'))
      news.dataset.tone = 'calm'
    },
  }
}

/** The example of a split, which also marks the amounts that are too small for their packets. */
function packetPreview(
  voice: ConsoleVoice,
  { elements, entered, inputs }: ReturnType<typeof formGroups>,
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
      const { windows } = entered()
      const { howMuch, when } = elements
      // Beside what it is an example of: the rounds, or the packets of the only one.
      const place = windows.length > 0 ? when : howMuch
      if (preview.element.previousElementSibling !== place) place.after(preview.element)
      // Once the packets are split for good, an example would pass for the truth.
      preview.element.hidden = entered().kind !== 'red-packet' || isSplit
      if (!preview.element.hidden) preview.look()
    },
  }
}

function errorText(voice: ConsoleVoice, kind: SaleKind, error: FieldError | undefined): string {
  return error === undefined ? '' : voice.t(keyFor(kind, error.key), error.args)
}
