/** Reads times of day and days, for schedules such as "every day at 9, 10, 11 and 12 for 20 days" (N6, R7), in time zones. */

import { splitWords } from '../lib/text.ts'

const minutesOfDay = 24 * 60

/** Returns times of day such as `9, 10:30, 21` in sorted minutes since midnight; undefined for other text. */
export function readTimesOfDay(text: string): number[] | undefined {
  const times = splitWords(text).map(minuteOf)
  const isRead = times.length > 0 && times.every((time) => time < minutesOfDay)
  return isRead ? [...new Set(times)].toSorted((a, b) => a - b) : undefined
}

function minuteOf(text: string): number {
  const [, hour, minute = '0'] = /^(\d{1,2})(?:[:：](\d\d))?$/.exec(text) ?? []
  return hour === undefined || Number(minute) > 59 ? Number.NaN : Number(hour) * 60 + Number(minute)
}

/** Returns the midnight of a day such as `2026-12-01` in the form of `clockAt`; undefined for other text and invalid days. */
export function readDay(text: string): number | undefined {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text) ? midnight : undefined
}

export const isDay = (text: string): boolean => readDay(text) !== undefined

const dayMs = 86_400_000

/** Cached by zone, because a format is costly to create and a form reads many times at each key press. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local time in `zone` as the epoch ms at which UTC shows it. Without a zone it is that of this machine. */
export function clockAt(time: number, zone: string | undefined): number {
  if (zone === undefined || Number.isNaN(time)) return time - 60_000 * new Date(time).getTimezoneOffset()
  // The Swedish format is ISO 8601.
  const known = formats.get(zone)
  const format = known ?? new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
  if (known === undefined) formats.set(zone, format)
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) + (((time % 1000) + 1000) % 1000)
}

/** Returns the times at which `zone` shows `clock` (as of `clockAt`): none in a skipped hour, two in a repeated one. */
export function timesAt(clock: number, zone: string | undefined): number[] {
  const near = [clock - dayMs, clock + dayMs].map((time) => clock + time - clockAt(time, zone))
  return [...new Set(near)].filter((time) => clockAt(time, zone) === clock).sort((a, b) => a - b)
}

/**
 * Returns the same time of day in `zone`, `days` days after `time` (epoch ms). A clock change makes one of the days shorter
 * or longer, and a skipped time is moved by the skipped hour.
 */
export function daysLater(time: number, days: number, zone: string | undefined): number {
  const clock = clockAt(time, zone) + days * dayMs
  const plain = time + days * dayMs
  const moved = plain + clock - clockAt(plain, zone)
  return clockAt(moved, zone) === clock ? moved : plain
}
