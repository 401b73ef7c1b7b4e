/** Numbers in an answer of the shop: all that are meant, or nothing. */
import { type Fields, fieldsOf } from '../wire.ts'

/** The number called `name`, or null. */
export function number(fields: Fields | undefined, name: string): number | null {
  const value = fields?.[name]
  return typeof value === 'number' ? value : null
}

/** The named numbers of an object, or null unless all of them are there. */
export function numbers<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Record<Name, number> | null {
  const fields = fieldsOf(value)
  const found = names.map((name): [Name, number | null] => [name, number(fields, name)])
  if (found.some(([, n]) => n === null)) return null
  return Object.fromEntries(found) as Record<Name, number>
}
