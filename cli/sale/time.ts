/** Reads and shows times at the command line. */
import { clockAt, isDay, timesAt } from '../../core/sale/schedule.ts'

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads `text` as epoch ms: `now`, `+90s`, `+5m`, `+2h`, `+1d` from `now`, epoch ms, or ISO 8601 with an offset. Without
 * an offset it is a local time in `zone`, the time zone of the sale.
 * @throws RangeError for other text, and for a local time that is skipped or occurs twice
 */
export function readTime(text: string, now: number, zone?: string): number {
  if (text === 'now') return now
  const [, amount, unit] = /^\+(\d{1,6}(?:\.\d+)?)([smhd])$/.exec(text) ?? []
  if (amount !== undefined && unit !== undefined) return Math.round(now + Number(amount) * (unitMs[unit] ?? 0))
  if (/^\d{13,15}$/.test(text)) return Number(text)
  const [, clock = '', offset] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const byOffset = offset !== undefined || zone === undefined
  const zoned = byOffset ? [Date.parse(`${clock}${offset}`)] : timesAt(Date.parse(`${clock}Z`), zone)
  const times = isDay(clock.slice(0, 10)) ? zoned : []
  const [time = Number.NaN, second] = times
  if (second !== undefined) {
    const [one, other] = times.map((at) => showTime(at, zone).slice(-6))
    throw new RangeError(`"${text}" comes twice in ${zone}: add its offset, ${one} or ${other}`)
  }
  if (!Number.isNaN(time)) return time
  const why = zone === undefined ? 'only a sale with a timeZone needs no offset' : `the clocks of ${zone} may skip it`
  throw new RangeError(`"${text}" is not a time: use +90s, +5m, 2026-12-01T12:00:00+08:00 or now; ${why}`)
}

/** Shows epoch ms in `zone`, or the local time zone, to the second and with the offset. */
export function showTime(time: number, zone?: string): string {
  const clock = clockAt(time, zone)
  const offset = clock - time
  const shown = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
  return `${shown(clock)} ${offset < 0 ? '-' : '+'}${shown(Math.abs(offset)).slice(11, 16)}`
}
