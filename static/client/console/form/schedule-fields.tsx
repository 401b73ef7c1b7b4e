/**
 * A schedule as people say it, "every day at 9 and 10 for 20 days": fills in the rounds of the form
 * (N6). The rounds are its preview: they can be changed before the sale is saved.
 */
import { useState } from 'preact/hooks'
import { maxWindows } from '../../../../core/body-limits.ts'
import { readDay, readTimesOfDay } from '../../../../core/sale/schedule.ts'
import { scheduleMessages } from '../../../messages/catalogues.ts'
import type { Arguments } from '../../../messages/text.ts'
import { focusField, TextField } from '../lib/field.tsx'
import type { Key } from '../lib/kind-words.ts'
import { fromLocalInput, inputText, timeAfterGap, toLocalInput, wholeNumber } from '../lib/typed.ts'
import { useViewWith } from '../view-place.ts'
import type { WindowText } from './window-text.ts'

type Props = {
  /** What each round has besides its times. */
  sample: WindowText
  /** The zone of the sale, if it has one. */
  zone: string | undefined
  /** The rounds that a valid schedule gives. */
  fill(windows: readonly WindowText[]): void
  isHidden: boolean
}

/** The part of the form with the schedule, folded at first. */
export function ScheduleFields({ sample, zone, fill, isHidden }: Props) {
  const { voice } = useViewWith(scheduleMessages)
  const [text, setText] = useState<ScheduleText>({ firstDay: '', days: '', times: '', minutes: '' })
  const [complained, setComplained] = useState<keyof ScheduleText>()
  const [filled, setFilled] = useState<number>()
  const read = scheduledWindows(text, sample, zone)
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
  return (
    <details class="more schedule" id="schedule" hidden={isHidden}>
      <summary>{voice.t('schedule.title')}</summary>
      <div class="schedule__body">
        <div class="window-row">
          <TextField {...field('firstDay')} type="date" />
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

/** A schedule as a marketer types it, and its rounds (N6, R7). What is typed of a schedule. */
type ScheduleText = Record<'firstDay' | 'days' | 'times' | 'minutes', string>

type ScheduleProblem = { name: keyof ScheduleText; key: Key; args?: Arguments }

const [minuteMs, dayMs] = [60_000, 86_400_000]

/**
 * The rounds of a schedule, each with the stock of `sample`, or the first field that is wrong. Times are those of the
 * clocks of `zone`; of a time that they show twice the first.
 */
export function scheduledWindows(
  text: ScheduleText,
  sample: WindowText,
  zone: string | undefined,
): { ok: true; windows: WindowText[] } | { ok: false; problem: ScheduleProblem } {
  const wrong = (name: keyof ScheduleText, key: Key, args?: Arguments) =>
    ({ ok: false, problem: { name, key, ...(args && { args }) } }) as const
  const firstDay = readDay(text.firstDay)
  const times = readTimesOfDay(text.times)
  const [days, minutes] = [wholeNumber(text.days), wholeNumber(text.minutes)]
  if (firstDay === undefined) return wrong('firstDay', 'error.day')
  if (times === undefined) return wrong('times', 'error.timesOfDay')
  const max = 24 * 60
  if (!(minutes >= 1 && minutes <= max)) return wrong('minutes', 'error.whole', { min: 1, max })
  const most = Math.floor(maxWindows / times.length)
  if (!(days >= 1 && days <= most)) return wrong('days', 'error.scheduleDays', { max: most, rounds: maxWindows })
  const typed = Array.from({ length: days }, (_, n) => times.map((time) => firstDay + n * dayMs + time * minuteMs))
    .flat()
    .map(inputText)
  for (const one of typed) {
    const [skipped, next] = [one, timeAfterGap(one, zone)].map((text) => text?.slice(11).replace(/^0/, ''))
    if (skipped && next) return wrong('times', 'error.timeSkipped', { day: one.slice(0, 10), time: skipped, next })
  }
  const starts = typed.map((one) => fromLocalInput(one, zone))
  const spans = starts.map((startsAt) => ({ startsAt, endsAt: startsAt + minutes * minuteMs }))
  if (spans.some(({ startsAt }, i) => startsAt < (spans[i - 1]?.endsAt ?? startsAt))) {
    return wrong('minutes', 'error.scheduleOverlap')
  }
  const windows = spans.map(({ startsAt, endsAt }) => ({
    ...sample,
    startsAt: toLocalInput(startsAt, zone),
    endsAt: toLocalInput(endsAt, zone),
  }))
  return { ok: true, windows }
}
