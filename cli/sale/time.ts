/** Times at the command line. */

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * `text` as epoch ms: `now`, `+90s`, `+5m`, `+2h`, `+1d` from `now`, epoch ms, or ISO 8601 with its
 * zone.
 * @throws RangeError for anything else; a time without a zone would differ from machine to machine
 */
export function readTime(text: string, now: number): number {
  if (text === 'now') return now
  const [, amount, unit] = /^\+(\d{1,6}(?:\.\d+)?)([smhd])$/.exec(text) ?? []
  if (amount !== undefined && unit !== undefined) return Math.round(now + Number(amount) * (unitMs[unit] ?? 0))
  if (/^\d{13,15}$/.test(text)) return Number(text)
  const hasZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const parsed = hasZone ? Date.parse(text) : Number.NaN
  if (Number.isNaN(parsed)) {
    throw new RangeError(`"${text}" is not a time: use +90s, +5m, 2026-12-01T12:00:00+08:00 or now`)
  }
  return parsed
}

/** Epoch ms in the local zone, to the second, with the zone's offset. */
export function showTime(time: number): string {
  const date = new Date(time)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  const offset = -date.getTimezoneOffset()
  const [sign, minutes] = [offset < 0 ? '-' : '+', Math.abs(offset)]
  return `${day} ${clock} ${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
