/** The buttons below the sale form: those of a new sale lead through its steps to what becomes of it. */
import type { Sale } from '../../../../core/sale/sale.ts'
import { make, setText } from '../../lib/dom.ts'
import type { Key } from '../lib/kind-words.ts'
import type { StartAction } from '../sale/actions.ts'
import type { ConsoleVoice } from '../view.ts'
import { type StepName, stepNames } from './form-step.ts'

/** What becomes of a new sale once it is saved; an edit is only saved. */
export type AfterSave = 'draft' | StartAction

type Asks = { goBack(): void; send(outcome: StartAction): void }

export function formButtons(voice: ConsoleVoice, sale: Sale | undefined, { goBack, send }: Asks) {
  const isNew = sale === undefined
  const plain = 'button button--plain'
  const button = (id: string, label: Key, props: Parameters<typeof make>[1]) =>
    make('button', { class: 'button', id, ...props }, voice.t(label))
  const back = button('back', 'step.back', { type: 'button', class: plain, click: goBack })
  const next = button('next', 'step.next', { type: 'submit' })
  const save = isNew
    ? button('save', 'do.saveDraft', { type: 'submit', class: plain, 'aria-describedby': 'save-text' })
    : button('save', 'form.save', { type: 'submit' })
  const starts = (id: StartAction, look: string) =>
    button(id, `do.${id}`, {
      ...{ type: 'button', class: look, 'aria-describedby': `${id}-text` },
      click: () => send(id),
    })
  const schedule = starts('start', 'button')
  const openNow = starts('open-now', plain)
  const words = (id: string, text: string) => make('p', { class: 'field__hint', id: `${id}-text` }, text)
  const scheduleText = words('start', '')
  const choice = (...parts: HTMLElement[]) => make('div', { class: 'outcome' }, ...parts)
  const scheduled = choice(schedule, scheduleText)
  const outcomes = make(
    'div',
    { class: 'outcomes', role: 'group', 'aria-label': voice.t('step.check') },
    choice(save, words('save', voice.t('do.saveDraftText'))),
    scheduled,
    choice(openNow, words('open-now', voice.t('do.open-nowText'))),
  )
  const list = isNew ? '#/' : `#/sale/${sale.saleId}`
  const cancel = make('a', { class: plain, href: list }, voice.t('form.cancel'))
  const row = make('div', { class: 'actions' }, cancel, back, next, isNew ? undefined : save)
  return {
    elements: isNew ? [outcomes, row] : [row],
    /** Those of that step; a sale that starts at `startsAt` can be scheduled until then (epoch ms). */
    follow(step: StepName, startsAt: number | undefined, now: number): void {
      back.hidden = !isNew || step === stepNames[0]
      next.hidden = !isNew || step === 'check'
      outcomes.hidden = step !== 'check'
      scheduled.hidden = startsAt === undefined || startsAt <= now
      openNow.classList.toggle('button--plain', !scheduled.hidden)
      if (startsAt !== undefined)
        setText(scheduleText, voice.t('do.startText', { time: voice.moment(startsAt) }))
    },
    setSaving(isSaving: boolean): void {
      for (const one of [save, schedule, openNow]) {
        if (isSaving) one.setAttribute('aria-disabled', 'true')
        else one.removeAttribute('aria-disabled')
      }
    },
  }
}
