/**
 * How an order was shipped. Carrier and tracking number come from files of other companies, so they are restricted to short
 * plain text that no spreadsheet reads as a formula and no page as markup.
 */
import { plainText } from '../lib/text.ts'
import { urlIn } from '../lib/url-in.ts'

/** `link` is the tracking page of a carrier that `carriers.ts` does not know. */
export type Shipment = { carrier: string; tracking?: string; link?: string }

/** In characters. */
const maxCarrier = 32
const maxTracking = 64
const maxLink = 500

/** Names in any script, such as "DHL Express", "顺丰速运" or "Deutsche Post (DHL)". */
const carrierName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&'’()/+-]*$/u
const trackingNumber = /^[A-Za-z0-9][A-Za-z0-9 -]*$/

/** Returns the name normalised by `plainText`; undefined for other text. */
export function parseCarrier(value: unknown): string | undefined {
  return shortText(value, carrierName, maxCarrier)
}

/** Returns the number normalised by `plainText`; undefined for other text. */
export function parseTracking(value: unknown): string | undefined {
  return shortText(value, trackingNumber, maxTracking)
}

/** Returns the trimmed https URL; undefined for other text. */
export function parseLink(value: unknown): string | undefined {
  const url = typeof value === 'string' ? urlIn(value.trim()) : undefined
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return isPlain && url.href.length <= maxLink ? url.href : undefined
}

export function isSameShipment(one: Shipment, other: Shipment): boolean {
  return one.carrier === other.carrier && one.tracking === other.tracking && one.link === other.link
}

function shortText(value: unknown, shape: RegExp, maxLength: number): string | undefined {
  const text = typeof value === 'string' ? plainText(value) : ''
  return text.length <= maxLength && shape.test(text) ? text : undefined
}
