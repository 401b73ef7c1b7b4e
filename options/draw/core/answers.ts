/** What staff reads of the draw of a sale. */
import * as z from 'zod/mini'
import { controlRoutes } from './option.ts'

const drawView = z.object({
  /** `waiting`: the rules are published within a minute of publishing the sale. `void`: the list came too late. */
  phase: z.enum(['waiting', 'open', 'closed', 'decided', 'void']),
  /** Known once the draw is decided. */
  entrants: z.optional(z.number()),
  /** `bought` have a standing order, `open` can still buy, `ended` have given their unit back. */
  offers: z.object({ made: z.number(), bought: z.number(), open: z.number(), ended: z.number() }),
  /** Entrants that were never offered a unit. */
  waiting: z.number(),
})

/** `draw` is null for a sale that draws nothing. */
export const controlAnswers = {
  getDraw: { ...controlRoutes.getDraw, answer: z.object({ draw: z.nullable(drawView) }) },
} as const
export type DrawView = z.infer<typeof drawView>
