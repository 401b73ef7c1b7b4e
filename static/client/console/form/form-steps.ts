/**
 * The steps of a new sale in the page: a list of them at the top, and one part of the form at a time.
 * The parts that are not shown stay in the form, with what is entered in them.
 */
import { make, setText } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'
import { numberOf, type StepName, stepNames } from './form-step.ts'

/** `parts` are the contents of each step; `go` is called with the step that was pressed in the list. */
export function formSteps(
  voice: ConsoleVoice,
  parts: Readonly<Record<StepName, readonly HTMLElement[]>>,
  go: (step: StepName) => void,
) {
  const views = stepNames.map((name) => stepView(voice, name, parts[name], go))
  const list = make(
    'nav',
    { class: 'steps', 'aria-label': voice.t('step.label') },
    make('ol', {}, ...views.map(({ entry }) => entry)),
  )
  let shown: StepName = stepNames[0]
  let wrong: ReadonlySet<StepName> = new Set()

  function draw(): void {
    for (const view of views) view.draw(shown, wrong)
  }

  draw()
  return {
    list,
    sections: views.map(({ section }) => section),
    shown: () => shown,
    /** Shows that step; its heading gets the focus, which reads it out. */
    show(step: StepName): void {
      shown = step
      draw()
      views.find(({ name }) => name === step)?.heading.focus()
    },
    /** Shows that step without moving the focus. */
    begin(step: StepName): void {
      shown = step
      draw()
    },
    /** Shows all of it at once, without a heading for each step. */
    flatten(): void {
      for (const { heading, section } of views) {
        section.hidden = section.dataset.step === 'check'
        section.removeAttribute('aria-labelledby')
        heading.remove()
      }
    },
    /** Marks these steps as wrong, and no other. */
    mark(steps: ReadonlySet<StepName>): void {
      wrong = steps
      draw()
    },
  }
}

function stepView(
  voice: ConsoleVoice,
  name: StepName,
  parts: readonly HTMLElement[],
  go: (step: StepName) => void,
) {
  const n = numberOf(name) + 1
  const state = make('span', { class: 'unseen' })
  const button = make(
    'button',
    { type: 'button', class: 'steps__button', id: `step-${name}`, click: () => go(name) },
    make('span', { class: 'steps__number', 'aria-hidden': 'true' }, String(n)),
    make('span', { class: 'steps__name' }, voice.t(`step.${name}`)),
    state,
  )
  const entry = make('li', { class: 'steps__step' }, button)
  const at = make('small', {}, voice.t('step.at', { n, count: stepNames.length }))
  const id = `step-${name}-title`
  const heading = make('h2', { class: 'step__title', id, tabindex: -1 }, voice.t(`step.${name}`), ' ', at)
  const section = make(
    'section',
    { class: 'step', 'aria-labelledby': id, 'data-step': name },
    heading,
    ...parts,
  )
  return {
    ...{ name, entry, heading, section },
    draw(shown: StepName, wrong: ReadonlySet<StepName>): void {
      section.hidden = name !== shown
      if (name === shown) button.setAttribute('aria-current', 'step')
      else button.removeAttribute('aria-current')
      const isDone = numberOf(name) < numberOf(shown)
      entry.dataset.state = wrong.has(name) ? 'wrong' : isDone ? 'done' : 'open'
      setText(
        state,
        wrong.has(name) ? ` (${voice.t('step.wrong')})` : isDone ? ` (${voice.t('step.done')})` : '',
      )
    },
  }
}
