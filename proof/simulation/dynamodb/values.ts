/** Values of items as in the document client: copies, sizes and order. */
import { isDeepStrictEqual } from 'node:util'

export type StoredValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly StoredValue[]
  | { [name: string]: StoredValue }

/** An item; it is replaced and never changed. */
export type TableItem = { readonly [name: string]: StoredValue }

/**
 * Returns a copy without undefined values, as the document client sends it.
 * @throws TypeError for a value that the table cannot store
 */
export function storedCopy(value: unknown): StoredValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} is no number of DynamoDB`)
    return value
  }
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map(storedCopy)
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) return copyOfMap(value)
  throw new TypeError(`the table has no place for ${String(value)}`)
}

export function copyOfMap(map: object): Record<string, StoredValue> {
  const copy: Record<string, StoredValue> = {}
  for (const [name, value] of Object.entries(map)) if (value !== undefined) copy[name] = storedCopy(value)
  return copy
}

export const isEqualValue = (a: StoredValue, b: StoredValue): boolean => a === b || isDeepStrictEqual(a, b)

/** Returns less than 0 when `a` comes first; undefined for values of different types or without an order. */
export function compare(a: StoredValue, b: StoredValue): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return undefined
}

/** Compares texts by their UTF-8 bytes. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Returns the number of bytes or elements. */
export function lengthOf(value: StoredValue): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
}

/**
 * Returns the bytes that count against the limits of items and pages. A number takes about half a byte for each digit.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function bytesOf(value: StoredValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).length / 2) + 1
  if (typeof value === 'boolean' || value === null) return 1
  if (value instanceof Uint8Array) return value.length
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + 1 + bytesOf(one), 3)
  return Object.entries(value).reduce((sum, [name, one]) => sum + 1 + name.length + bytesOf(one), 3)
}
