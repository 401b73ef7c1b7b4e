/** A schedule as a marketer types it, and its rounds (N6, R7). */
import { maxWindows } from '../../../../core/body-limits.ts'
import { type Day, readDay, readTimesOfDay, windowTimes } from '../../../../core/sale/schedule.ts'
import type { Arguments } from '../../../messages/text.ts'
import type { Key } from '../lib/kind-words.ts'
import { toLocalInput, wholeNumber } from '../lib/typed.ts'
import type { WindowText } from './window-text.ts'

/** What is typed of a schedule. */
export type ScheduleText = Record<'firstDay' | 'days' | 'times' | 'minutes', string>

type ScheduleProblem = { name: keyof ScheduleText; key: Key; args?: Arguments }

const longestRoundMinutes = 24 * 60

/** The rounds of a schedule, each with the stock of `sample`, or the first field that is wrong. */
export function scheduledWindows(
  text: ScheduleText,
  sample: WindowText,
): { ok: true; windows: WindowText[] } | { ok: false; problem: ScheduleProblem } {
  const wrong = (name: keyof ScheduleText, key: Key, args?: Arguments) =>
    ({ ok: false, problem: { name, key, ...(args && { args }) } }) as const
  const firstDay = readDay(text.firstDay)
  const times = readTimesOfDay(text.times)
  const [days, minutes] = [wholeNumber(text.days), wholeNumber(text.minutes)]
  if (firstDay === undefined) return wrong('firstDay', 'error.day')
  if (times === undefined) return wrong('times', 'error.timesOfDay')
  if (!(minutes >= 1 && minutes <= longestRoundMinutes)) {
    return wrong('minutes', 'error.whole', { min: 1, max: longestRoundMinutes })
  }
  const most = Math.floor(maxWindows / times.length)
  if (!(days >= 1 && days <= most)) return wrong('days', 'error.scheduleDays', { max: most, rounds: maxWindows })
  const spans = windowTimes({ firstDay, days, times, minutes }, localTime)
  const skipped = skippedTime(firstDay, days, times)
  if (skipped !== undefined) return wrong('times', 'error.timeSkipped', skipped)
  if (spans.some(({ startsAt }, i) => startsAt < (spans[i - 1]?.endsAt ?? startsAt))) {
    return wrong('minutes', 'error.scheduleOverlap')
  }
  const windows = spans.map(({ startsAt, endsAt }) => ({
    ...sample,
    startsAt: toLocalInput(startsAt),
    endsAt: toLocalInput(endsAt),
  }))
  return { ok: true, windows }
}

/** The first time that the viewer's clocks do not show on its day, because they go forward over it. */
function skippedTime(firstDay: Day, days: number, times: readonly number[]): Arguments | undefined {
  // Swedish dates are those of ISO 8601, as the field of the first day takes them.
  const shown = (at: number) => new Date(localTime(firstDay, at, 0)).toLocaleDateString('sv')
  const two = (n: number) => String(n).padStart(2, '0')
  for (let offset = 0; offset < days; offset += 1) {
    for (const time of times) {
      const date = new Date(localTime(firstDay, offset, time))
      if (date.getHours() * 60 + date.getMinutes() === time) continue
      return { day: shown(offset), time: `${Math.floor(time / 60)}:${two(time % 60)}` }
    }
  }
  return undefined
}

/** In the viewer's zone, like every time of the form. */
function localTime({ year, month, day }: Day, offset: number, minuteOfDay: number): number {
  return new Date(year, month - 1, day + offset, 0, minuteOfDay).getTime()
}
