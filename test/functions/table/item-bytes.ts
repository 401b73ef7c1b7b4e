/**
 * The size of an item as DynamoDB counts it, in bytes: names and text in UTF-8, a number with one byte for
 * each two digits and one more, and for lists and maps 3 bytes and one for each entry
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
 */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  return sum(entriesOf(item).map(([name, value]) => Buffer.byteLength(name) + valueBytes(value)))
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return Math.ceil(String(value).replace(/\D/g, '').length / 2) + 1
  if (typeof value === 'boolean' || value === null) return 1
  if (Array.isArray(value)) return 3 + sum(value.map((one: unknown) => 1 + valueBytes(one)))
  if (typeof value !== 'object') throw new Error(`an item has no ${typeof value}`)
  return 3 + sum(entriesOf(value).map(([name, one]) => 1 + Buffer.byteLength(name) + valueBytes(one)))
}

/** The client writes nothing for a value that is undefined. */
const entriesOf = (map: object): [string, unknown][] => Object.entries(map).filter(([, value]) => value !== undefined)

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
