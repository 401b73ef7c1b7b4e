/** Times in an e-mail, whose reader's time zone is not known. */
import type { Language } from '../../core/language.ts'

/** Date, time and offset in the zone of the settings: `November 22, 2026 at 08:30 UTC+1`. */
export function mailMoment(at: number, language: Language, timeZone: string): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  })
  return format
    .formatToParts(at)
    .map(({ type, value }) => (type === 'timeZoneName' ? value.replace(/^GMT(?:\+0)?/, 'UTC') : value))
    .join('')
}
