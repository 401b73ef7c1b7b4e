/** The order number that people type. Its last digit is a check digit, so a typing error finds no other order. */
import type { OrderId } from '../ids.ts'
import { plainCode } from '../lib/text.ts'

declare const brand: unique symbol
/** Digits without spaces: 9 for the first ninety million orders of a shop, then more. */
export type OrderNumber = string & { readonly [brand]: 'OrderNumber' }

/** Digits before the check digit of the first numbers. */
const firstWidth = 8

/** Coprime to every size below, so that numbers are unique. */
const step = 55_623_059n
/** An offset, so that the first order does not have a small number. */
const first = 31_415_926n

/** Returns the number of a shop's `count`th order, from 0. Consecutive numbers differ widely, so they do not reveal sales. */
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

/** Returns how many numbers of `width` digits have no leading 0, which spreadsheets would drop. */
const sizeOf = (width: number) => 9n * 10n ** BigInt(width - 1)

/** Returns the number in typed text, which may have a `#`; undefined for a wrong check digit. */
export function parseOrderNumber(text: unknown): OrderNumber | undefined {
  if (typeof text !== 'string') return undefined
  const digits = plainCode(text).replaceAll('#', '')
  if (!/^[1-9]\d{8,14}$/.test(digits)) return undefined
  return digits.at(-1) === checkDigit(digits.slice(0, -1)) ? (digits as OrderNumber) : undefined
}

/** Formats it in groups of three: `472 918 365`. Plain spaces would reverse the groups in Arabic text (UAX 9, W4). */
export function spacedNumber(number: OrderNumber): string {
  return number.replace(/\B(?=(\d{3})+$)/g, '\u00a0')
}

/** Returns the name of an order for people: its number, or its id for a red packet, which has no number. */
export function orderName(order: { orderId: OrderId; orderNumber?: OrderNumber | undefined }): string {
  return order.orderNumber === undefined ? order.orderId : spacedNumber(order.orderNumber)
}

/**
 * Rows are the interim digit, columns the next digit. The quasigroup is totally anti-symmetric, so the check digit detects
 * every wrong digit and every swap of two neighbouring digits (H. M. Damm, 2004).
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
