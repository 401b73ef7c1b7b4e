/** The number that people type for an order: digits, the last one to check, so that an error names no other order. */
import type { OrderId } from '../ids.ts'
import { plainCode } from '../lib/text.ts'

declare const brand: unique symbol
/** Digits without spaces, 9 of them for the first ninety million orders of a shop. */
export type OrderNumber = string & { readonly [brand]: 'OrderNumber' }

/** Digits before the check digit, at first. */
const firstWidth = 8

/** Prime to every size below, so that each count has a number of its own. */
const step = 55_623_059n
/** Otherwise the first order of a shop would have nearly the least number. */
const first = 31_415_926n

/** Returns the number of a shop's `count`th order, from 0. Neighbours differ, so no number shows how much was sold. */
export function orderNumberOf(count: number): OrderNumber {
  let width = firstWidth
  let left = BigInt(count)
  while (left >= sizeOf(width)) {
    left -= sizeOf(width)
    width += 1
  }
  const digits = String(10n ** BigInt(width - 1) + ((left * step + first) % sizeOf(width)))
  return `${digits}${checkDigit(digits)}` as OrderNumber
}

/** Returns how many numbers of `width` digits begin with another digit than 0, which spreadsheets drop. */
const sizeOf = (width: number) => 9n * 10n ** BigInt(width - 1)

/** Returns the number in what a person typed, also with `#`; undefined for a wrong check digit. */
export function parseOrderNumber(text: unknown): OrderNumber | undefined {
  if (typeof text !== 'string') return undefined
  const digits = plainCode(text).replaceAll('#', '')
  if (!/^[1-9]\d{8,14}$/.test(digits)) return undefined
  return digits.at(-1) === checkDigit(digits.slice(0, -1)) ? (digits as OrderNumber) : undefined
}

/** In groups of three, as people read it aloud: `472 918 365`. Plain spaces would show the groups from right to left in Arabic (UAX 9, W4). */
export function spacedNumber(number: OrderNumber): string {
  return number.replace(/\B(?=(\d{3})+$)/g, '\u00a0')
}

/** What people call an order by: its number, or its id, as an order of a red packet has no number. */
export function orderName(order: { orderId: OrderId; orderNumber?: OrderNumber | undefined }): string {
  return order.orderNumber === undefined ? order.orderId : spacedNumber(order.orderNumber)
}

/**
 * A row for each digit so far, a column for the next: a quasigroup that is totally anti-symmetric, so that the check
 * digit finds every single wrong digit and every two neighbours that were exchanged (H. M. Damm, 2004).
 */
const quasigroup = [
  ...['0317598642', '7092154863', '4206871359', '1750983426', '6123045978'],
  ...['3674209581', '5869720134', '8945362017', '9438617205', '2581436790'],
] as const

function checkDigit(digits: string): string {
  let interim = '0'
  for (const digit of digits) interim = quasigroup[Number(interim)]?.[Number(digit)] ?? ''
  return interim
}
