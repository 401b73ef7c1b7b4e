/** The answer to staff about the reminders of a sale. */
import * as z from 'zod/mini'
import { controlRoutes } from './option.ts'

const count = z.number()
const counted = z.object({ asked: count, sent: count, opened: count })

/**
 * How many shoppers asked to be reminded of the present window, to how many the e-mail was handed over, and how many
 * signed-in shoppers followed its link: of its `start`, and of the `return` of units, where a shopper who asks again is
 * one whose e-mail has not left.
 */
const reach = z.object({ start: counted, return: counted })

export const controlAnswers = { getReach: { ...controlRoutes.getReach, answer: reach } } as const

export type Reach = z.infer<typeof reach>
