/**
 * A schedule as people say it, "every day at 9 and 10 for 20 days": fills in the rounds of the form
 * (N6). The rounds are its preview: they can be changed before the sale is saved.
 */
import { useState } from 'preact/hooks'
import { scheduleMessages } from '../../../messages/catalogues.ts'
import { Field, fieldInput, focusField, TextField } from '../lib/field.tsx'
import { useViewWith } from '../view-place.ts'
import { type ScheduleText, scheduledWindows } from './schedule-text.ts'
import type { WindowText } from './window-text.ts'

type Props = {
  /** What each round has besides its times. */
  sample: WindowText
  /** The rounds that a valid schedule gives. */
  fill(windows: readonly WindowText[]): void
  isHidden: boolean
}

/** The part of the form with the schedule, folded at first. */
export function ScheduleFields({ sample, fill, isHidden }: Props) {
  const { voice } = useViewWith(scheduleMessages)
  const [text, setText] = useState<ScheduleText>({ firstDay: '', days: '', times: '', minutes: '' })
  const [complained, setComplained] = useState<keyof ScheduleText>()
  const [filled, setFilled] = useState<number>()
  const read = scheduledWindows(text, sample)
  const problem = read.ok ? undefined : read.problem
  if (complained !== undefined && complained !== problem?.name) setComplained(undefined)

  function press(): void {
    setFilled(read.ok ? read.windows.length : undefined)
    if (read.ok) return fill(read.windows)
    setComplained(read.problem.name)
    focusField(`schedule.${read.problem.name}`)
  }
  const field = (name: keyof ScheduleText, hint = '') => ({
    field: {
      name: `schedule.${name}`,
      label: voice.t(`schedule.${name}`),
      hint,
      error: complained === name && problem !== undefined ? voice.t(problem.key, problem.args) : '',
    },
    value: text[name],
    enter: (value: string) => setText((before) => ({ ...before, [name]: value })),
    autocomplete: 'off',
  })
  const day = field('firstDay')
  return (
    <details class="more schedule" id="schedule" hidden={isHidden}>
      <summary>{voice.t('schedule.title')}</summary>
      <div class="schedule__body">
        <div class="window-row">
          <Field {...day.field}>
            <input
              type="date"
              {...fieldInput(day.field.name, day.field.error)}
              autocomplete="off"
              value={day.value}
              onInput={(event) => day.enter(event.currentTarget.value)}
            />
          </Field>
          <TextField {...field('days')} inputmode="numeric" />
          <TextField {...field('times', voice.t('schedule.timesHint'))} />
          <TextField {...field('minutes')} inputmode="numeric" />
        </div>
        <button type="button" class="button button--plain" id="schedule-fill" onClick={press}>
          {voice.t('schedule.fill')}
        </button>
        <p class="field__hint" role="status">
          {filled !== undefined && voice.t('schedule.filled', { n: filled })}
        </p>
      </div>
    </details>
  )
}
