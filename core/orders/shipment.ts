/**
 * How an order was sent. Carrier and tracking number come from files of other companies, so both are
 * short plain text: a spreadsheet never takes one for a formula, and a page never for markup.
 */

import { plainText } from '../lib/text.ts'

export type Shipment = { carrier: string; tracking?: string }

/** Characters of a carrier's name and of a tracking number, at most. */
const maxCarrier = 32
const maxTracking = 64

/** Names in any script, such as "DHL Express", "顺丰速运" or "Deutsche Post (DHL)". */
const carrierName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&'’()/+-]*$/u
const trackingNumber = /^[A-Za-z0-9][A-Za-z0-9 -]*$/

/** The name as `plainText` has it; undefined for text that is no name. */
export function parseCarrier(value: unknown): string | undefined {
  return shortText(value, carrierName, maxCarrier)
}

/** The number as the carrier wrote it, as `plainText` has it; undefined for other text. */
export function parseTracking(value: unknown): string | undefined {
  return shortText(value, trackingNumber, maxTracking)
}

export function isSameShipment(one: Shipment, other: Shipment): boolean {
  return one.carrier === other.carrier && one.tracking === other.tracking
}

function shortText(value: unknown, shape: RegExp, most: number): string | undefined {
  const text = typeof value === 'string' ? plainText(value) : ''
  return text.length <= most && shape.test(text) ? text : undefined
}
