/** A schedule as people say it, "every day at 9, 10, 11 and 12 for 20 days", as the windows of a sale (N6, R7). */

import { splitWords } from '../lib/text.ts'

const minutesOfDay = 24 * 60

/** Times of a day such as `9, 10:30, 21`, as minutes since midnight in their order; undefined for other texts. */
export function readTimesOfDay(text: string): number[] | undefined {
  const times = splitWords(text).map(minuteOf)
  const isRead = times.length > 0 && times.every((time) => time < minutesOfDay)
  return isRead ? [...new Set(times)].toSorted((a, b) => a - b) : undefined
}

function minuteOf(text: string): number {
  const [, hour, minute = '0'] = /^(\d{1,2})(?:[:：](\d\d))?$/.exec(text) ?? []
  return hour === undefined || Number(minute) > 59 ? Number.NaN : Number(hour) * 60 + Number(minute)
}

/** Returns the midnight of a day such as `2026-12-01`, as `clockAt` has it; undefined for other texts, and for days that no calendar has. */
export function readDay(text: string): number | undefined {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text) ? midnight : undefined
}

/** True when `text` is a day of the calendar such as `2026-12-01`. */
export const isDay = (text: string): boolean => readDay(text) !== undefined

const dayMs = 86_400_000

/** One for each zone: it is costly to make, and a form reads many times at each key. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of `zone` show at `time`, as the epoch ms at which those of UTC do. Without one they are those of this machine or browser. */
export function clockAt(time: number, zone: string | undefined): number {
  if (zone === undefined || Number.isNaN(time)) return time - 60_000 * new Date(time).getTimezoneOffset()
  // Swedish times are those of ISO 8601.
  const known = formats.get(zone)
  const format = known ?? new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
  if (known === undefined) formats.set(zone, format)
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) + (((time % 1000) + 1000) % 1000)
}

/** When the clocks of `zone` show `clock`, as `clockAt` has it: never in a skipped hour, twice in a repeated one. */
export function timesAt(clock: number, zone: string | undefined): number[] {
  const near = [clock - dayMs, clock + dayMs].map((time) => clock + time - clockAt(time, zone))
  return [...new Set(near)].filter((time) => clockAt(time, zone) === clock).sort((a, b) => a - b)
}

/**
 * The same time of day in `zone`, that many days later. `time` is epoch ms; a change of the clocks makes one of the
 * days shorter or longer, and a time that they skip is as much later.
 */
export function daysLater(time: number, days: number, zone: string | undefined): number {
  const clock = clockAt(time, zone) + days * dayMs
  const plain = time + days * dayMs
  const moved = plain + clock - clockAt(plain, zone)
  return clockAt(moved, zone) === clock ? moved : plain
}
