/** Schemas of the block list: a block, its reason and its end, and the import of many. */
import * as z from 'zod/mini'
import { type Block, blockKinds, parseBlock } from '../gate/block.ts'
import { whole } from '../lib/parse.ts'

/** In characters. */
const maxBlockReason = 100

/** Entries of one import. With reasons of maximum length they still fit into the largest body. */
export const maxBlocksOfImport = 200

export const isBlockReason = (text: string): boolean => text.length <= maxBlockReason && !/\p{Cc}/u.test(text)

/** `until` is when the entry expires, epoch ms. */
const terms = {
  reason: z.optional(
    z
      .string('must be a string')
      .check(
        z.trim(),
        z.minLength(1, 'must not be empty'),
        z.refine(isBlockReason, `must be one line of at most ${maxBlockReason} characters`),
      ),
  ),
  until: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
}

export const blockTerms = z.strictObject(terms, 'must be an object')
export type BlockTerms = z.infer<typeof blockTerms>

const blocked = { kind: z.enum(blockKinds, 'is no kind of block'), value: z.string('must be a string') }

/** Clients put the value into a path, so a value that cannot be blocked is rejected. */
const isBlock = z.refine<Block>(
  ({ kind, value }) => parseBlock(kind, value)?.value === value,
  'must be a value of its kind, in its canonical form',
)

export const blockView = z.object(blocked).check(isBlock)

/** A block, the marketer who set it, and since when. */
export const blockEntry = z.object({ ...blocked, ...terms, who: z.string(), when: z.number() }).check(isBlock)

export const blockedWithTerms = z.strictObject({ ...blocked, ...terms }, 'must be an object').check(isBlock)

/** `changed` entries were added or changed, or would be in a dry run. `same` entries were on the list already. */
export const blocksImported = z.object({ changed: z.number(), same: z.number() })
