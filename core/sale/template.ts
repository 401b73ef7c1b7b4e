/** Templates: definitions of sales, each under a name, that new sales begin with. */
import * as z from 'zod/mini'
import { definedSale } from './sale.ts'

/** Templates of a shop, at most. */
export const maxTemplates = 100

/** Characters of a name, at most. */
export const maxTemplateName = 60

/** Letters, digits, marks and symbols of any language, and the joiner inside some emoji. */
const shape = new RegExp(`^(?:[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]|\\u200d){1,${maxTemplateName}}$`, 'u')

/**
 * The name in `text` without spaces around it: 1 to 60 letters, digits, spaces and symbols of any
 * language; or undefined.
 */
export function parseTemplateName(text: unknown): string | undefined {
  const name = typeof text === 'string' ? text.normalize('NFC').trim() : ''
  return shape.test(name) ? name : undefined
}

/** The name of a template in a body. */
export const templateName = z.pipe(
  z.transform((text) => parseTemplateName(text)),
  z.string(`must be 1 to ${maxTemplateName} letters, digits, spaces or symbols`),
)

/**
 * A template; `savedAt` is epoch ms. `definition` is that of the sale it was made of, with its id and
 * times; null when this version of the system cannot read it.
 */
export const template = z.object({
  name: z.string(),
  savedAt: z.number(),
  definition: z.nullable(definedSale),
})

export type Template = z.infer<typeof template>
