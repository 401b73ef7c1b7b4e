/** Values of items as the document client has them: their copies, sizes, order, and form on the wire. */
import { isDeepStrictEqual } from 'node:util'

export type Value = string | number | boolean | null | Uint8Array | readonly Value[] | { [name: string]: Value }

/** An item; it is replaced and never changed. */
export type Item = { readonly [name: string]: Value }

/** What DynamoDB calls the type of a value. */
function typeOf(value: Value): 'S' | 'N' | 'BOOL' | 'NULL' | 'B' | 'L' | 'M' {
  if (typeof value === 'string') return 'S'
  if (typeof value === 'number') return 'N'
  if (typeof value === 'boolean') return 'BOOL'
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return 'B'
  return Array.isArray(value) ? 'L' : 'M'
}

/**
 * A copy without undefined, as the document client sends it.
 * @throws TypeError for what the table has no place for
 */
export function storedCopy(value: unknown): Value {
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

export function copyOfMap(map: object): Record<string, Value> {
  const copy: Record<string, Value> = {}
  for (const [name, value] of Object.entries(map)) if (value !== undefined) copy[name] = storedCopy(value)
  return copy
}

export const isSame = (a: Value, b: Value): boolean => a === b || isDeepStrictEqual(a, b)

/** Less than 0 when `a` comes first; undefined for values of two types, and for those without an order. */
export function compare(a: Value, b: Value): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return undefined
}

/** By the bytes of UTF-8. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Number of characters, bytes or elements. */
export function lengthOf(value: Value): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
}

/**
 * The bytes that count against the limits of items and pages. A number takes about half a byte for
 * each digit.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function bytesOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).length / 2) + 1
  if (typeof value === 'boolean' || value === null) return 1
  if (value instanceof Uint8Array) return value.length
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + 1 + bytesOf(one), 3)
  return Object.entries(value).reduce((sum, [name, one]) => sum + 1 + name.length + bytesOf(one), 3)
}

type Wire = { [type: string]: unknown }

/** A value in the form that the wire has. */
function toWire(value: Value): Wire {
  const type = typeOf(value)
  if (type === 'N') return { N: String(value) }
  if (type === 'NULL') return { NULL: true }
  if (Array.isArray(value)) return { L: value.map(toWire) }
  if (type === 'M') return { M: mapToWire(value as Item) }
  return { [type]: value }
}

export const mapToWire = (map: Item): Record<string, Wire> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, toWire(value)]))

/** @throws for a type that the wire does not have here */
function fromWire(wire: unknown): Value {
  const [[type, value] = []] = Object.entries(wire as Wire)
  switch (type) {
    case 'S':
    case 'BOOL':
      return value as string | boolean
    case 'N':
      return Number(value)
    case 'NULL':
      return null
    case 'L':
      return (value as unknown[]).map(fromWire)
    case 'M':
      return mapFromWire(value as Wire)
    default:
      throw new TypeError(`the wire has no values of type ${type} here`)
  }
}

export const mapFromWire = (map: Wire): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, fromWire(value)]))
