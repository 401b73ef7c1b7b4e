/** The form for a new sale and for an edit. Every complaint stands at its field, in the marketer's language. */

import type { Sale } from '../../../core/sale.ts'
import { make } from '../dom.ts'
import { signInPath } from '../return-path.ts'
import { createSale, editSale, getLive, type Refused } from './api.ts'
import { errorOf, type FieldError, type FormErrors, type Place, pastError, placeOf } from './field-errors.ts'
import { formGroups, usualPicture } from './form-groups.ts'
import type { FormText } from './form-text.ts'
import { kindChoice } from './kind-choice.ts'
import { keyFor } from './kind-words.ts'
import { lockOf } from './locks.ts'
import { onSession } from './session.ts'
import { splitPreview } from './split-preview.ts'
import { toLocalInput } from './typed.ts'
import { defaultText, editOf, readForm, textOf } from './values.ts'
import { type Leave, needsSignIn, reasonText, signedInHash, type ViewContext } from './view.ts'
import { wavesIn } from './waves-text.ts'

const wrong = '[aria-invalid="true"]'

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
  const groups = formGroups(voice, before?.entered ?? text, sale)
  const { entered } = groups
  const untouched = before?.untouched ?? JSON.stringify(entered())
  // It stands at the button that was pressed: the line at the top of the page is far out of sight.
  const news = make('div', { class: 'form__news', id: 'form-news', role: 'alert' })
  let [sending, saved] = [false, false]
  const { what, howMuch, when, validity, rules, gate } = groups.elements
  const save = make('button', { type: 'submit', class: 'button', id: 'save' }, voice.t('form.save'))
  const back = sale === undefined ? '#/' : `#/sale/${sale.saleId}`
  const isSplit = lockOf('packets.count', sale) !== undefined
  let short: readonly Place[] = []

  const preview = splitPreview(
    voice,
    () => ({ typed: wavesIn(entered()), currency: entered().currency }),
    (typed) => {
      const places = typed.kind === 'short' ? typed.places : []
      const inputs = new Map(groups.inputs())
      for (const place of short) inputs.get(place)?.complain('')
      for (const place of places) inputs.get(place)?.complain(words(errorOf(place, entered())))
      short = places
    },
  )
  const look = () => {
    // Once the packets are split for good, an example would pass for the truth.
    preview.element.hidden = entered().kind !== 'red-packet' || isSplit
    if (!preview.element.hidden) preview.look()
  }
  const follow = (kind: FormText['kind']) => {
    groups.follow(kind)
    look()
  }

  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const form = make(
    'form',
    { class: 'form form--sale', id: 'sale-form', novalidate: true, submit, input: look },
    kindChoice(voice, before?.entered.kind ?? text.kind, sale === undefined ? follow : undefined),
    what,
    howMuch,
    when,
    preview.element,
    validity,
    rules,
    gate,
    news,
    make(
      'div',
      { class: 'actions' },
      make('a', { class: 'button button--plain', href: back }, voice.t('form.cancel')),
      save,
    ),
  )

  function words(error: FieldError | undefined): string {
    return error === undefined ? '' : voice.t(keyFor(entered().kind, error.key), error.args)
  }

  /** Shows every error at its field and clears the rest; the first wrong input of the page gets the focus. */
  function complain(errors: FormErrors): void {
    for (const [place, input] of groups.inputs()) input.complain(words(errors[place]))
    for (const part of form.querySelectorAll('details')) part.open ||= part.querySelector(wrong) !== null
    form.querySelector<HTMLElement>(wrong)?.focus()
  }

  function announce(...nodes: (Node | string)[]): void {
    delete news.dataset.tone
    news.replaceChildren(...nodes)
  }

  /**
   * Keeps the entered text and offers to sign in in another tab; that tab notifies this one, which
   * sends again.
   */
  function offerSignIn(reply: Refused): void {
    waiting.retry = () => void send()
    const href = signInPath(location.pathname + signedInHash)
    const isStranger = reply.kind === 'refused' && reply.problem?.code === 'sign-in-required'
    const text = isStranger ? voice.t('form.sessionEnded') : reasonText(voice, reply)
    const link = { class: 'button', id: 'form-sign-in', href, target: '_blank', rel: 'opener' }
    announce(make('p', {}, text), make('a', link, voice.t('form.signIn')))
  }

  async function send(): Promise<void> {
    if (sending) return
    waiting.retry = undefined
    const typed = entered()
    const read = readForm(typed)
    // An edit of a sale that is over may change its words; only a new end must lie ahead.
    const past = sale === undefined || endOf(typed) !== endOf(text) ? pastError(typed, Date.now()) : {}
    const errors = read.ok ? past : { ...past, ...read.errors }
    complain(errors)
    if (!read.ok || Object.keys(past).length > 0) return announce(voice.t('form.fix'))
    sending = true
    save.setAttribute('aria-disabled', 'true')
    announce(voice.t('form.saving'))
    news.dataset.tone = 'calm'
    const { definition } = read
    const answer =
      sale === undefined
        ? await createSale(definition)
        : await editSale(sale.saleId, editOf(text, typed, definition))
    sending = false
    save.removeAttribute('aria-disabled')
    if (answer.ok) {
      saved = true
      return context.go(`#/sale/${definition.saleId}`)
    }
    if (needsSignIn(answer.reply)) return offerSignIn(answer.reply)
    const problem = answer.reply.kind === 'refused' ? answer.reply.problem : undefined
    const place = placeOf(problem?.field ?? '', typed)
    if (place !== undefined) {
      complain({ [place]: problem?.code === 'conflict' ? refused(place, sale) : errorOf(place, typed) })
    }
    announce(reasonText(voice, answer.reply))
  }

  context.announce('')
  context.keep({
    isDirty: () => !saved && JSON.stringify(entered()) !== untouched,
    redraw: () => draw(context, text, sale, waiting, { entered: entered(), untouched }),
  })
  context.show(make('h1', {}, voice.t(sale === undefined ? 'form.create' : 'form.edit')), form)
  look()
}

/** A well-formed value that the sale's state does not allow. */
function refused(place: Place, sale: Sale | undefined): FieldError {
  if (place === 'saleId') return { key: 'error.taken' }
  // Before the first start only the loaded stock is locked: the units, or everything that describes
  // the red packets.
  const isShelved = sale?.kind === 'red-packet' || /(?:^|\.)stock$/.test(place)
  return { key: isShelved && sale?.epoch === 0 ? 'form.onShelf' : 'form.locked' }
}

function endOf({ windows, endsAt }: FormText): string {
  return windows.at(-1)?.endsAt ?? endsAt
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
