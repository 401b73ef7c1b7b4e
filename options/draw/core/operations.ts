/** The operations for a shopper's entry in the draw of a sale, and for staff to read the draw. Times are epoch ms. */
import * as z from 'zod/mini'
import { saleParams, saleRead } from '../../../core/api/operation-parts.ts'
import { changeProblems } from '../../../core/api/problem-sets.ts'
import { isSolvedChallenge } from '../../../core/buy/limits.ts'
import type { OperationsSeam } from '../../../core/seams.ts'
import { names } from './names.ts'

/** A request has the id of a variant and a solved challenge. */
const maxEntryBytes = 1024 + 2048

/** `variant` is absent in a sale without variants. `challenge` is the solved challenge of a sale that requires one; the gate has verified it. */
const entryRequest = /* @__PURE__ */ z.strictObject(
  {
    variant: z.optional(z.string('must be the id of a variant')),
    challenge: z.optional(z.string('must be a string').check(z.refine(isSolvedChallenge, 'is not a solved challenge'))),
  },
  'must be an object',
)

/**
 * `none`: the shopper has no entry. `receipt` is the signed line of options/draw/docs/reference.md for the latest change,
 * absent from the close until the ranks are known. `place`, once the draw is decided: the rank among the entries of the same
 * variant, from 1, and their number; `offered` once the shopper was offered a unit, which happens at most once. `offer` is a
 * unit that the shopper may buy until `until`.
 */
const entryView = z.object({
  state: z.enum(['none', 'entered', 'left']),
  receipt: z.optional(z.string()),
  variant: z.optional(z.string()),
  place: z.optional(z.object({ rank: z.number(), of: z.number(), offered: z.optional(z.literal(true)) })),
  offer: z.optional(z.object({ until: z.number() })),
})

const drawView = z.object({
  /** `waiting`: the rules are not published yet, which takes a minute after the sale is warmed. `void`: the list came too late. */
  phase: z.enum(['waiting', 'open', 'closed', 'decided', 'void']),
  /** Absent until the draw is decided. */
  entrants: z.optional(z.number()),
  /** Offers `made` so far: `bought` have an active order, `open` can still be bought, the unit of `ended` was returned. */
  offers: z.object({ made: z.number(), bought: z.number(), open: z.number(), ended: z.number() }),
  /** Entrants who were never offered a unit. */
  waiting: z.number(),
})
export type DrawView = z.infer<typeof drawView>

const ofEntry = { path: '/api/entries/:saleId', params: saleParams, answer: entryView } as const
const problems = [...changeProblems, 'unknown-sale', 'level-too-low', 'not-found'] as const

export const operations = {
  /** `not-found`: the sale draws nothing, or its draw is not published yet. */
  getEntry: { ...ofEntry, method: 'GET', problems },
  /** Enters, or changes the entry. Repeating a request is a no-op that returns the same receipt. */
  putEntry: {
    ...ofEntry,
    method: 'PUT',
    body: { maxBytes: maxEntryBytes, schema: entryRequest },
    problems: [...problems, 'conflict', 'challenge-required', 'challenge-failed'],
  },
  /** Leaves the draw. */
  eraseEntry: { ...ofEntry, method: 'DELETE', problems: [...problems, 'conflict'] },
  /** `draw` is null for a sale that draws nothing. */
  getDraw: { ...names.routes.getDraw, answer: z.object({ draw: z.nullable(drawView) }), ...saleRead },
} as const satisfies OperationsSeam

export type EntryView = z.infer<typeof entryView>
export type EntryRequest = z.infer<typeof entryRequest>
