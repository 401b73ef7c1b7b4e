/**
 * A schedule as people say it, "every day at 9 and 10 for 20 days": fills in the rounds of the form
 * (N6). The rounds are its preview: they can be changed before the sale is saved.
 */
import { make, setText } from '../../lib/dom.ts'
import { clearWhenRight, type Labelled, labelled } from '../../lib/labelled.ts'
import type { Key } from '../lib/kind-words.ts'
import type { ConsoleVoice } from '../view.ts'
import { type ScheduleText, scheduledWindows } from './schedule-text.ts'
import type { WindowText } from './window-text.ts'

type Options = {
  /** What each round has besides its times. */
  sample(): WindowText
  /** The rounds that a valid schedule gives. */
  fill(windows: WindowText[]): void
}

/** The part of the form with the schedule, folded at first. */
export function scheduleFields(voice: ConsoleVoice, { sample, fill }: Options) {
  const field = (
    name: keyof ScheduleText,
    label: Key,
    hint: Key | undefined,
    props: Record<string, string>,
  ) =>
    labelled(
      `schedule.${name}`,
      voice.t(label),
      hint ? voice.t(hint) : '',
      make('input', { autocomplete: 'off', ...props }),
    )
  const fields: Record<keyof ScheduleText, Labelled> = {
    firstDay: field('firstDay', 'schedule.firstDay', undefined, { type: 'date' }),
    days: field('days', 'schedule.days', undefined, { inputmode: 'numeric' }),
    times: field('times', 'schedule.times', 'schedule.timesHint', {}),
    minutes: field('minutes', 'schedule.minutes', undefined, { inputmode: 'numeric' }),
  }
  const parts = Object.values(fields)
  const result = make('p', { class: 'field__hint', role: 'status' })
  const button = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'schedule-fill', click },
    voice.t('schedule.fill'),
  )
  const element = make(
    'details',
    { class: 'more schedule', id: 'schedule' },
    make('summary', {}, voice.t('schedule.title')),
    make(
      'div',
      { class: 'schedule__body' },
      make('div', { class: 'window-row' }, ...parts.map((part) => part.element)),
      button,
      result,
    ),
  )

  function entered() {
    const text = { firstDay: '', days: '', times: '', minutes: '' }
    for (const name of scheduleNames) text[name] = fields[name].input.value
    return scheduledWindows(text, sample())
  }

  function click(): void {
    const filled = entered()
    for (const part of parts) part.complain('')
    setText(result, '')
    if (!filled.ok) {
      const { name, key, args } = filled.problem
      fields[name].complain(voice.t(key, args))
      fields[name].input.focus()
      return
    }
    fill(filled.windows)
    setText(result, voice.t('schedule.filled', { n: filled.windows.length }))
  }

  for (const name of scheduleNames) {
    clearWhenRight(element, fields[name], () => {
      const filled = entered()
      return filled.ok || filled.problem.name !== name
    })
  }
  return element
}

const scheduleNames = ['firstDay', 'days', 'times', 'minutes'] as const
