/** Reads an item with personal data (sealed-item.ts). */
import type * as z from 'zod/mini'
import { parse } from '../../../core/lib/parse.ts'
import type { Purpose, Sealer } from '../../lib/sealer.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import type { Item } from '../query.ts'

/**
 * The content, which fits `schema`.
 * @throws UnexpectedItem when no key opens it for this owner, or it is another content
 */
export async function openItem<S extends z.core.$ZodType>(
  sealer: Sealer,
  purpose: Purpose,
  { sealed }: Item,
  schema: S,
): Promise<z.output<S>> {
  const content = await sealer.open(purpose, String(sealed))
  // The audience is the sealer's own mark of the owner.
  const { aud, ...own } = content ?? {}
  const read = parse(schema, own)
  if (content !== undefined && read.ok) return read.value
  throw new UnexpectedItem(`a ${purpose.purpose}`, 'no key opens it, or its content is not one')
}
