/** Opens the form of a new sale or of an edit, sends it, and keeps its text until it is saved. */

import type { Sale } from '../../../core/sale.ts'
import { make } from '../dom.ts'
import { signInPath } from '../return-path.ts'
import { createSale, editSale, getLive, type Refused } from './api.ts'
import { checkForm, refusedField } from './form-check.ts'
import { usualPicture } from './form-groups.ts'
import type { FormText } from './form-text.ts'
import { saleForm } from './sale-form.ts'
import { onSession } from './session.ts'
import { toLocalInput } from './typed.ts'
import { defaultText, editOf, textOf } from './values.ts'
import {
  type ConsoleVoice,
  type Leave,
  needsSignIn,
  reasonText,
  signedInHash,
  type ViewContext,
} from './view.ts'

/** Opens the form; with a sale id, for that sale. */
export function openForm(context: ViewContext, saleId?: string): Leave {
  let left = false
  const waiting: Waiting = { retry: undefined }
  const stop = onSession(() => waiting.retry?.())
  if (saleId === undefined) draw(context, freshText(context), undefined, waiting)
  else
    void getLive(saleId).then((answer) => {
      if (left) return
      if (answer.ok) draw(context, textOf(answer.value.sale), answer.value.sale, waiting)
      else context.explain(answer.reply)
    })
  return () => {
    left = true
    stop()
  }
}

/** What to do after the next sign-in; undefined while nothing waits for it. */
type Waiting = { retry: (() => void) | undefined }

/** A form in another language: what is entered in it, and what was in it untouched. */
type Before = { entered: FormText; untouched: string }

function draw(
  context: ViewContext,
  text: FormText,
  sale: Sale | undefined,
  waiting: Waiting,
  before?: Before,
): void {
  const { voice } = context
  const form = saleForm(voice, before?.entered ?? text, sale, () => void send())
  const { entered } = form
  const untouched = before?.untouched ?? JSON.stringify(entered())
  let [sending, saved] = [false, false]

  async function send(): Promise<void> {
    if (sending) return
    waiting.retry = undefined
    const typed = entered()
    const checked = checkForm(typed, text, sale, Date.now())
    form.complain(checked.ok ? {} : checked.errors)
    if (!checked.ok) return form.announce(voice.t('form.fix'))
    const { definition } = checked
    sending = true
    form.setSaving(true)
    const answer =
      sale === undefined
        ? await createSale(definition)
        : await editSale(sale.saleId, editOf(text, typed, definition))
    sending = false
    form.setSaving(false)
    if (answer.ok) {
      saved = true
      return context.go(`#/sale/${definition.saleId}`)
    }
    if (needsSignIn(answer.reply)) offerSignIn(answer.reply)
    else showRefusal(answer.reply, typed)
  }

  /**
   * Keeps the entered text and offers to sign in in another tab; that tab notifies this one, which
   * sends again.
   */
  function offerSignIn(reply: Refused): void {
    waiting.retry = () => void send()
    form.announce(...signInOffer(voice, reply))
  }

  function showRefusal(reply: Refused, typed: FormText): void {
    const problem = reply.kind === 'refused' ? reply.problem : undefined
    const errors = refusedField(problem, typed, sale)
    if (errors !== undefined) form.complain(errors)
    form.announce(reasonText(voice, reply))
  }

  context.announce('')
  context.keep({
    isDirty: () => !saved && JSON.stringify(entered()) !== untouched,
    redraw: () => draw(context, text, sale, waiting, { entered: entered(), untouched }),
  })
  context.show(make('h1', {}, voice.t(sale === undefined ? 'form.create' : 'form.edit')), form.element)
}

/** Why the form cannot be sent, and a link to sign in in another tab. */
function signInOffer(voice: ConsoleVoice, reply: Refused): Node[] {
  const href = signInPath(location.pathname + signedInHash)
  const isStranger = reply.kind === 'refused' && reply.problem?.code === 'sign-in-required'
  const text = isStranger ? voice.t('form.sessionEnded') : reasonText(voice, reply)
  const link = { class: 'button', id: 'form-sign-in', href, target: '_blank', rel: 'opener' }
  return [make('p', {}, text), make('a', link, voice.t('form.signIn'))]
}

function freshText({ voice }: ViewContext): FormText {
  const start = Math.ceil((Date.now() + 600_000) / 60_000) * 60_000
  const currency = voice.locale().startsWith('zh') ? 'CNY' : 'EUR'
  return {
    ...defaultText(currency),
    kind: 'goods',
    image: usualPicture('goods'),
    currency,
    stock: '100',
    'packets.count': '100',
    limitPerShopper: '1',
    maxPerOrder: '1',
    startsAt: toLocalInput(start),
    endsAt: toLocalInput(start + 3_600_000),
    windows: [],
  }
}
