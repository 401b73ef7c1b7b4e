/** The variables that say what a stage pays out, or where the shop shows the balances that it holds itself; both absent, nothing is paid. */
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'
import { address, jsonText } from '../lib/env.ts'

const terms = z.strictObject({
  minimums: z.record(z.string().check(z.regex(/^[A-Z]{3}$/)), whole(1, Number.MAX_SAFE_INTEGER)),
})

export const payoutVariables = {
  PAYOUTS: z.optional(jsonText(terms, 'must be an object in JSON with the least amounts by currency')),
}

/** `BALANCE_URL` is never set beside `PAYOUTS`. */
export const walletVariables = { ...payoutVariables, BALANCE_URL: z.optional(address) }
