/** Formats a time of a sale for a reader who may be in another zone. */
import { isTimeZone } from '../../core/lib/text.ts'
import { momentText } from '../../templates/messages/time-text.ts'
import type { Translator } from './kind-words.ts'

/** Writes the time in the reader's zone, and in the sale's if it differs. `alone` formats it without a zone. */
export function saleMoment(
  voice: Pick<Translator, 'moment' | 'locale'>,
  { timeZone }: { timeZone?: string | undefined },
  ms: number,
  alone?: string,
): string {
  const own = voice.moment(ms)
  if (timeZone === undefined || !isTimeZone(timeZone)) return alone ?? own
  const there = momentText(ms, voice.locale(), { zone: true, timeZone })
  return there === own ? own : `${own} (${there})`
}
