/** A schedule as people say it, "every day at 9 and 10 for 20 days", as the windows of the form (N6, R7). */
import { maxWindows } from '../../../../core/body-limits.ts'
import { readDay, readTimesOfDay } from '../../../../core/sale/schedule.ts'
import type { Arguments } from '../../../messages/text.ts'
import type { Key } from '../lib/kind-words.ts'
import type { Row } from '../lib/text-parts.ts'
import { fromLocalInput, inputText, timeAfterGap, toLocalInput, wholeNumber } from '../lib/typed.ts'
import type { Filled } from './row-list.tsx'

/** What is typed of a schedule. */
type ScheduleText = Readonly<Record<'firstDay' | 'days' | 'times' | 'minutes', string>>

const [minuteMs, dayMs] = [60_000, 86_400_000]

/** The rounds, each with the stock of `sample`, or the first field that is wrong, by the clocks of `zone`. */
export function scheduledWindows(
  text: ScheduleText,
  sample: Row,
  zone: string | undefined,
): Filled<keyof ScheduleText> {
  const wrong = (name: keyof ScheduleText, key: Key, args?: Arguments) => ({ wrong: name, key, ...(args && { args }) })
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
  const rows = spans.map(({ startsAt, endsAt }) => ({
    ...sample,
    startsAt: toLocalInput(startsAt, zone),
    endsAt: toLocalInput(endsAt, zone),
  }))
  return { rows }
}
