/** Parses typed numbers, amounts and times exactly. Invalid text becomes NaN. */
import { isTimeZone, plainText, splitWords } from '../../core/lib/text.ts'
import { isCurrency, majorText, minorAmount } from '../../core/money.ts'
import { clockAt, daysLater, timesAt } from '../../core/sale/schedule.ts'

/** Normalizes a typed currency code. */
export function currencyCode(text: string): string {
  return plainText(text).toUpperCase()
}

/** Parses codes that are separated by commas or spaces. */
export function countryCodes(text: string): string[] {
  return splitWords(plainText(text).toUpperCase())
}

/** Writes costs by country, such as `DE 4.90, AT 9.90`; in minor units without a known `currency`. */
export function costsText(costs: Readonly<Record<string, number>>, currency: string | undefined): string {
  const shown = (amount: number) => (currency === undefined ? String(amount) : majorText(amount, currency))
  return Object.entries(costs)
    .map(([code, amount]) => `${code} ${shown(amount)}`)
    .join(', ')
}

/** Parses origins that are separated by commas or spaces, without their trailing slashes. */
export function typedOrigins(text: string): string[] {
  return splitWords(text).map((origin) => origin.replace(/\/$/, ''))
}

/** Parses an amount to exact minor units; NaN for an invalid amount or currency. */
export function typedAmount(text: string, currency: string): number {
  const code = currencyCode(currency)
  return isCurrency(code) ? minorAmount(plainText(text), code) : Number.NaN
}

/** The suffix of a time that the clocks show twice, for the second one. */
export const secondMark = ' second'

/** Formats epoch ms for a `datetime-local` input, in `zone`, without zero seconds. */
export function toLocalInput(ms: number, zone: string | undefined): string {
  const clock = clockAt(ms, zone)
  const isSecond = (timesAt(clock, zone)[1] ?? Infinity) <= ms
  return inputText(clock) + (isSecond ? secondMark : '')
}

/** Formats a clock of `clockAt` for such an input. */
export const inputText = (clock: number) => new Date(clock).toISOString().slice(0, 19).replace(/:00$/, '')

/** The inverse of `toLocalInput`; NaN for text that is no time in `zone`. */
export function fromLocalInput(text: string, zone: string | undefined): number {
  return timesAt(typedClock(text), zone).at(text.endsWith(secondMark) ? -1 : 0) ?? Number.NaN
}

/** Returns both times, epoch ms, if the clocks show it twice. */
export function repeatedTimes(text: string, zone: string | undefined): number[] {
  const times = timesAt(typedClock(text), zone)
  return times.length > 1 ? times : []
}

/** Returns the next time after one that the clocks skip; undefined for other texts. */
export function timeAfterGap(text: string, zone: string | undefined): string | undefined {
  const clock = typedClock(text)
  const minutes = Array.from({ length: 24 * 60 }, (_, n) => (Math.ceil(clock / 60_000) + n) * 60_000)
  const next = timesAt(clock, zone).length > 0 ? undefined : minutes.find((one) => timesAt(one, zone).length > 0)
  return next === undefined ? undefined : inputText(next).replace('T', ' ')
}

function typedClock(text: string): number {
  const [, clock] = /^(\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: second)?$/.exec(text) ?? []
  return Date.parse(`${clock}Z`)
}

/** The most characters in a sale id. */
const maxIdLength = 40

/** Suggests an id for a title: `stoneware-mug-blue`, or `sale-…` for a title without Latin letters. */
export function suggestedId(title: string, now: Date): string {
  const slug = slugOf(title, maxIdLength)
  return title.trim() === '' || slug.length >= 3 ? slug : stamped('sale', now)
}

/** Suggests the id of a copy: `mug-` with day and time, also for the copy of a copy. */
export function idOfCopy(saleId: string, now: Date): string {
  return stamped(saleId.replace(/-\d{8}-\d{6}$/, ''), now)
}

/** Appends day and time, to the second, which makes the id unique. */
function stamped(name: string, now: Date): string {
  const clock = new Date(clockAt(now.getTime(), undefined)).toISOString().slice(0, 19)
  const ending = `-${clock.replace(/[-:]/g, '').replace('T', '-')}`
  return cutSlug(name, maxIdLength - ending.length) + ending
}

/** Returns a slug: `Black / M` becomes `black-m`. */
export function slugOf(text: string, maxLength: number): string {
  const ascii = text.normalize('NFKD').toLowerCase()
  return cutSlug(ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-/, ''), maxLength)
}

/** Cuts a slug, without a hyphen at its end. */
export const cutSlug = (slug: string, maxLength: number): string => slug.slice(0, maxLength).replace(/-+$/, '')

/** Parses minutes such as `15` or `0.5` to whole seconds; NaN for other text. */
export function secondsOfMinutes(text: string): number {
  const match = /^(\d{1,6}(?:[.,]\d{0,3})?)$/.exec(plainText(text))
  return match?.[1] === undefined ? Number.NaN : Math.round(Number(match[1].replace(',', '.')) * 60)
}

/** Writes seconds as minutes, with enough decimals to convert them back. */
export function minutesText(seconds: number): string {
  return String(Math.round((seconds / 60) * 1000) / 1000)
}

/** Parses a whole number. */
export function wholeNumber(text: string): number {
  const plain = plainText(text)
  return /^-?\d{1,12}$/.test(plain) ? Number(plain) : Number.NaN
}

/** Parses a number that may have decimals, such as `1.2` or `1,25`. */
export function decimalNumber(text: string): number {
  const plain = plainText(text)
  return /^\d{1,9}(?:[.,]\d{1,9})?$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN
}

/** Returns a typed time zone; undefined for other text. */
export const typedZone = (text: string): string | undefined => (isTimeZone(text) ? text : undefined)

/** Returns the time of day one day later, for a `datetime-local` input; empty if `text` is no time. */
export function dayLater(text: string, zone: string | undefined): string {
  const time = fromLocalInput(text, zone)
  return Number.isNaN(time) ? '' : toLocalInput(daysLater(time, 1, zone), zone)
}
