/** Formats times and durations for people. */

/** Splits `ms`, rounded up to whole seconds so that a countdown shows 1 until its end. Never negative. */
export function durationParts(ms: number): { days: number; hours: number; minutes: number; seconds: number } {
  const total = Math.max(0, Math.ceil(ms / 1000))
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor((total % 86_400) / 3600),
    minutes: Math.floor((total % 3600) / 60),
    seconds: total % 60,
  }
}

/** Returns whole seconds in the largest unit that is exact. */
export function exactDuration(seconds: number): { unit: 'hours' | 'minutes' | 'seconds'; n: number } {
  if (seconds % 3600 === 0) return { unit: 'hours', n: seconds / 3600 }
  return seconds % 60 === 0 ? { unit: 'minutes', n: seconds / 60 } : { unit: 'seconds', n: seconds }
}

export const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** Returns `04:09`, `1:04:09` or, with `daysWord`, `2 d 1:04:09`. */
export function clockText(ms: number, daysWord: string): string {
  const { days, hours, minutes, seconds } = durationParts(ms)
  const short = `${twoDigits(minutes)}:${twoDigits(seconds)}`
  const long = days + hours === 0 ? short : `${hours}:${short}`
  return days === 0 ? long : `${days} ${daysWord} ${long}`
}

const dayAndTime = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const

type Options = {
  /** Adds the zone. Chinese puts it last, and leaves out China's own. */
  zone?: boolean
  year?: boolean
  seconds?: boolean
  /** An IANA name that this browser knows; the reader's zone by default. */
  timeZone?: string
}

/** Formats `ms` (epoch ms) in the reader's zone and language, with the year unless it is the current one. */
export function momentText(ms: number, locale: string, { zone, year, seconds, timeZone }: Options = {}): string {
  const text = new Intl.DateTimeFormat(locale, {
    ...dayAndTime,
    ...((year || new Date(ms).getFullYear() !== new Date().getFullYear()) && { year: 'numeric' }),
    ...(seconds && { second: '2-digit' }),
    ...(zone && { timeZoneName: 'short' }),
    ...(timeZone !== undefined && { timeZone }),
  }).format(ms)
  if (!locale.startsWith('zh')) return text
  return text.replace(/ (GMT\S*|UTC)(.*)/, (_, name, time) => (name === 'GMT+8' ? time : `${time} (${name})`))
}

/** Formats the time with year, zone and seconds, which decide in a sale. */
export const exactMoment = (ms: number, locale: string): string =>
  momentText(ms, locale, { zone: true, year: true, seconds: true })
