/** Opens the form of a new sale or of an edit, sends it, and keeps its text until it is saved. */

import type { SaleId } from '../../../../core/ids.ts'
import { copyOf } from '../../../../core/sale/copy-sale.ts'
import type { Sale, SaleDefinition } from '../../../../core/sale/sale.ts'
import type { Choice } from '../../lib/confirm.ts'
import { make } from '../../lib/dom.ts'
import { signInPath } from '../../people/sign-in-path.ts'
import { createSale, editSale, getLive, type Refused, startSale } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { idOfCopy } from '../lib/typed.ts'
import { phonePreview } from '../preview/phone-preview.ts'
import type { StartAction } from '../sale/actions.ts'
import { startQuestion } from '../sale/start-question.ts'
import { onSession } from '../session.ts'
import {
  type ConsoleVoice,
  type Leave,
  needsSignIn,
  reasonText,
  saveFailure,
  signedInHash,
  type ViewContext,
} from '../view.ts'
import type { AfterSave } from './form-buttons.ts'
import { checkForm, refusedField } from './form-check.ts'
import type { StepName } from './form-step.ts'
import type { FormText } from './form-text.ts'
import { freshText } from './fresh-text.ts'
import { saleForm } from './sale-form.ts'
import { focusChoice, readTemplate, startFrom } from './start-from.ts'
import { editOf, textOf } from './values.ts'

/** The sale that is edited, or the one or the template that a new one begins as a copy of. */
type From = { edit: string } | { copy: string } | { template: string }

/** Opens the form; of a new sale unless it is to edit one. */
export function openForm(context: ViewContext, from?: From): Leave {
  const visit: Visit = { left: false, refused: undefined, outcome: 'draft', send: () => {} }
  const stop = onSession(() => {
    if (visit.refused !== undefined) visit.send()
  })
  if (from === undefined) draw(context, freshText(context.voice.locale(), Date.now()), undefined, visit)
  else if ('template' in from)
    void readTemplate(context, from.template).then((definition) => {
      if (!visit.left && definition !== undefined) draw(context, copiedText(definition), undefined, visit)
    })
  else
    void getLive('edit' in from ? from.edit : from.copy).then((answer) => {
      if (visit.left) return
      if (!answer.ok) return void context.explain(answer.reply)
      const { sale } = answer.value
      if ('edit' in from) draw(context, textOf(sale), sale, visit)
      else draw(context, copiedText(sale), undefined, visit)
    })
  return () => {
    visit.left = true
    stop()
  }
}

/**
 * What the forms of one visit share, each in another language: whether the view was left, the answer that
 * asked for a sign-in, what was to become of the sale, and what sends the form that is shown.
 */
type Visit = { left: boolean; refused: Refused | undefined; outcome: AfterSave; send: () => void }

/** A form in another language: what is entered in it, what was in it untouched, and its step. */
type Before = { entered: FormText; untouched: string; step: StepName }

function draw(
  context: ViewContext,
  text: FormText,
  sale: Sale | undefined,
  visit: Visit,
  before?: Before,
): void {
  const { voice } = context
  const check = (typed: FormText) => checkForm(typed, text, sale, Date.now())
  const form = saleForm(voice, {
    ...{ text: before?.entered ?? text, sale, step: before?.step ?? 'what', check },
    start: sale === undefined ? [startFrom(context)] : [],
    send: (outcome) => void send(outcome),
  })
  const { entered } = form
  const untouched = before?.untouched ?? JSON.stringify(entered())
  let [sending, saved] = [false, false]

  async function send(outcome: AfterSave): Promise<void> {
    if (sending) return
    visit.refused = undefined
    visit.outcome = outcome
    const typed = entered()
    const checked = check(typed)
    form.complain(checked.ok ? {} : checked.errors)
    if (!checked.ok) return form.announce(voice.t('form.fix'))
    const { definition } = checked
    const start = outcome === 'draft' ? undefined : await askToStart(voice, outcome, definition)
    if (visit.left || (outcome !== 'draft' && start === undefined)) return
    sending = true
    form.setSaving(true)
    const answer =
      sale === undefined
        ? await createSale(definition)
        : await editSale(sale.saleId, editOf(text, typed, definition))
    const failed = answer.ok && start !== undefined ? await failureOf(voice, start, definition.saleId) : ''
    sending = false
    if (visit.left) return
    form.setSaving(false)
    if (answer.ok) {
      saved = true
      return context.go(`#/sale/${definition.saleId}`, failed)
    }
    if (needsSignIn(answer.reply)) offerSignIn(answer.reply)
    else showRefusal(answer.reply, typed)
  }

  /**
   * Keeps the entered text and offers to sign in in another tab; that tab notifies this one, which
   * sends again.
   */
  function offerSignIn(reply: Refused): void {
    visit.refused = reply
    form.announce(...signInOffer(voice, reply))
  }

  function showRefusal(reply: Refused, typed: FormText): void {
    const problem = reply.kind === 'refused' ? reply.problem : undefined
    const errors = refusedField(problem, typed, sale)
    if (errors !== undefined) form.complain(errors, typed)
    form.announce(reasonText(voice, reply))
  }

  context.announce('')
  context.keep({
    isDirty: () => !saved && JSON.stringify(entered()) !== untouched,
    redraw: () => draw(context, text, sale, visit, { entered: entered(), untouched, step: form.step() }),
  })
  visit.send = () => void send(visit.outcome)
  if (visit.refused !== undefined) offerSignIn(visit.refused)
  const preview = phonePreview(voice, entered)
  const title = make('h1', {}, voice.t(sale === undefined ? 'form.create' : 'form.edit'))
  context.show(
    make('div', { class: 'console__head' }, title, preview.opener),
    make('div', { class: 'composer', input: preview.look }, form.element, preview.aside, preview.dialog),
  )
  if (sale === undefined) focusChoice()
}

/** What the marketer agrees to; undefined after a step back. */
async function askToStart(
  voice: ConsoleVoice,
  wanted: StartAction,
  definition: SaleDefinition,
): Promise<StartAction | undefined> {
  const fresh = { ...definition, windowIndex: 0, warmed: false }
  const { action, ...asked } = startQuestion(voice, wanted, fresh, Date.now())
  const choice: Choice = { value: action, label: voice.t(`do.${action}`), kind: 'main' }
  return (await askBefore(voice, { ...asked, choice })) ? action : undefined
}

/** Schedules or opens the sale; why that failed, or nothing. */
async function failureOf(voice: ConsoleVoice, start: StartAction, saleId: SaleId): Promise<string> {
  const answer = await startSale(saleId, start)
  if (answer.ok) return ''
  const action = voice.t(`do.${start}`)
  return voice.t('do.notStarted', { action, why: reasonText(voice, answer.reply) })
}

/** Why the form cannot be sent, and a link to sign in in another tab. */
function signInOffer(voice: ConsoleVoice, reply: Refused): Node[] {
  const href = signInPath(location.pathname + signedInHash)
  const link = { class: 'button', id: 'form-sign-in', href, target: '_blank', rel: 'opener' }
  return [make('p', {}, saveFailure(voice, reply)), make('a', link, voice.t('form.signIn'))]
}

/** Nothing of it is saved yet, and the id of the former sale is taken. */
function copiedText(sale: Sale | SaleDefinition): FormText {
  const { saleId } = sale
  return { ...textOf({ ...copyOf(sale, Date.now()), saleId }), saleId: idOfCopy(saleId, new Date()) }
}
