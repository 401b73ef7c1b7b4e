/** How a report speaks: words, numbers, money and times in one language, one locale and one zone. */
import type { Language } from '../../../core/language.ts'
import { formatMoney, formatSums, type Sums, withSign } from '../../../core/money.ts'
import { reportMessages } from '../../messages/catalogues.ts'
import { type Arguments, words } from '../../messages/text.ts'
import { durationText } from '../duration-text.ts'

/** `locale` is a dialect of the language, `timeZone` an IANA name such as `Europe/Berlin`. */
export type ReportReader = { language: Language; locale: string; timeZone: string }

export type ReportKey = keyof typeof reportMessages

export type ReportVoice = ReportReader & {
  t(key: ReportKey, args?: Arguments): string
  number(n: number): string
  /** With `digits` decimal digits at most. */
  decimal(n: number, digits: number): string
  /** `part` of `whole` in per cent; nothing of nothing is 0. */
  share(part: number, whole: number): string
  money(amount: number, currency: string): string
  /** A number or an amount of this voice with a sign before it. */
  signed(sign: '+' | '−', text: string): string
  sums(sums: Sums): string
  /** A point in time to the second (epoch ms), without its zone. */
  time(ms: number): string
  /** The same to the minute, for narrow columns. */
  shortTime(ms: number): string
  /** A length of time in ms: `0.4 s`, `41 s`, `12 min 30 s`, `3 h 12 min`. */
  duration(ms: number): string
}

export function reportVoice(reader: ReportReader): ReportVoice {
  const { language, locale, timeZone } = reader
  const numbers = new Intl.NumberFormat(locale)
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  const shortTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short', timeZone })
  // From right to left, a sign without the mark of its locale would stand behind its number.
  const [mark = ''] = new Intl.NumberFormat(locale, { signDisplay: 'always' }).format(1).split('+')
  const rounded = (args: Arguments): Arguments =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [
        name,
        typeof value === 'number' ? Math.round(value * 10) / 10 : value,
      ]),
    )
  const t = (key: ReportKey, args: Arguments = {}) => words(reportMessages[key], language, rounded(args), locale)
  return {
    ...reader,
    t,
    number: (n) => numbers.format(n),
    decimal: (n, digits) => n.toLocaleString(locale, { maximumFractionDigits: digits }),
    share: (part, whole) => shares.format(whole === 0 ? 0 : part / whole),
    money: (amount, currency) => formatMoney({ amount, currency }, locale),
    signed: (sign, text) => {
      const signed = withSign(sign, text)
      return signed === sign + text ? mark + signed : signed
    },
    sums: (sums) => formatSums(sums, locale, 'conjunction'),
    time: (ms) => times.format(ms),
    shortTime: (ms) => shortTimes.format(ms),
    duration: (ms) => durationText(t, ms),
  }
}
