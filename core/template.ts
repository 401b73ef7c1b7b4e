/** Templates: definitions of sales, each under a name, that new sales begin with. */
import * as z from 'zod/mini'
import { readBy } from './parse.ts'
import { definedSale } from './sale.ts'

/** Templates of a shop, at most. */
export const maxTemplates = 100

/** Characters of a name, at most. */
export const maxTemplateName = 60

/** Letters, digits, marks and symbols of any language, and the joiner inside some emoji. */
const shape = new RegExp(`^(?:[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]|\\u200d){1,${maxTemplateName}}$`, 'u')

/** A name is a part of a path: it has no mark of an address, and is no step in it. */
const outOfPlace = /[/\\%?#]|^\.+$/

/**
 * The name in `text` without spaces around it: 1 to 60 letters, digits, spaces and symbols of any
 * language, but no `/ \ % ? #` and not dots alone; or undefined.
 */
export function parseTemplateName(text: unknown): string | undefined {
  const name = typeof text === 'string' ? text.normalize('NFC').trim() : ''
  return shape.test(name) && !outOfPlace.test(name) ? name : undefined
}

/** What `name` of a template must be, for the answer to another one. */
export const templateNameRule = `must be 1 to ${maxTemplateName} letters, digits, spaces or symbols other than / \\ % ? #`

/**
 * A template; `savedAt` is epoch ms. `definition` is that of the sale it was made of, with its id and
 * times; null when this version of the system cannot read it.
 */
export const template = z.object({
  name: readBy(parseTemplateName, templateNameRule),
  savedAt: z.number(),
  definition: z.nullable(definedSale),
})

export type Template = z.infer<typeof template>
