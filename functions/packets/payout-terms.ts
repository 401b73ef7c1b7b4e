/** The variable that says what a stage pays out; absent, it pays nothing. */
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'
import { jsonText } from '../lib/env.ts'

const terms = z.strictObject({
  minimums: z.record(z.string().check(z.regex(/^[A-Z]{3}$/)), whole(1, Number.MAX_SAFE_INTEGER)),
})

export const payoutVariables = {
  PAYOUTS: z.optional(jsonText(terms, 'must be an object in JSON with the least amounts by currency')),
}
