/**
 * How an order was sent. Carrier and tracking number come from files of other companies, so both are
 * short plain text: a spreadsheet never takes one for a formula, and a page never for markup.
 */
import { plainText } from '../lib/text.ts'
import { urlIn } from '../lib/url-in.ts'

/** `link` is the page where a shopper follows the shipment, of a carrier that `carriers.ts` does not know. */
export type Shipment = { carrier: string; tracking?: string; link?: string }

/** Characters of a carrier's name, of a tracking number and of a link, at most. */
const maxCarrier = 32
const maxTracking = 64
const maxLink = 500

/** Names in any script, such as "DHL Express", "顺丰速运" or "Deutsche Post (DHL)". */
const carrierName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&'’()/+-]*$/u
const trackingNumber = /^[A-Za-z0-9][A-Za-z0-9 -]*$/

/** Returns the name as `plainText` has it; undefined for text that is no name. */
export function parseCarrier(value: unknown): string | undefined {
  return shortText(value, carrierName, maxCarrier)
}

/** Returns the number as the carrier wrote it, as `plainText` has it; undefined for other text. */
export function parseTracking(value: unknown): string | undefined {
  return shortText(value, trackingNumber, maxTracking)
}

/** Returns the https address, without spaces around it; undefined for other text. */
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
