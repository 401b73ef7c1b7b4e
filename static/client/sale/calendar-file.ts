/** The start of a sale as a file for calendars (RFC 5545). */

/**
 * `version` is that of the sale: with the same `saleId` and `host` a calendar takes a higher one for the same appointment
 * at its new time. Times are epoch ms; `endsAt` is absent where only the start is known.
 */
type CalendarSale = {
  saleId: string
  host: string
  version: number
  title: string
  url: string
  startsAt: number
  endsAt?: number | undefined
}

/** The text of the file, whose alarm rings ten minutes before the start; `now` is epoch ms. */
export function calendarFile(sale: CalendarSale, now: number): string {
  const { saleId, host, version, title, url, startsAt, endsAt } = sale
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Sluice//Sales//EN', 'METHOD:PUBLISH', 'BEGIN:VEVENT'],
    `UID:${saleId}@${host}`,
    `SEQUENCE:${version}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(startsAt)}`,
    ...(endsAt === undefined ? [] : [`DTEND:${utc(endsAt)}`]),
    `SUMMARY:${escaped(title)}`,
    `URL:${url}`,
    ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT10M', `DESCRIPTION:${escaped(title)}`, 'END:VALARM'],
    ...['END:VEVENT', 'END:VCALENDAR'],
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** `20270115T120000Z` */
const utc = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** A line has at most 75 bytes, and one that goes on begins with a space. */
const longestLine = 75

function folded(line: string): string {
  const encoder = new TextEncoder()
  let text = ''
  let bytes = 0
  for (const character of line) {
    const own = encoder.encode(character).length
    if (bytes + own > longestLine) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += own
  }
  return text
}
