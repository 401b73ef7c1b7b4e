/** The body of `POST /api/sales/{saleId}/challenge`. */
import * as z from 'zod/mini'

const isToken = 'is not a token of the security check'

/** `token` is the response of the Turnstile widget. Turnstile documents its length but no alphabet. */
export const challengeRequest = z.strictObject(
  { token: z.optional(z.string(isToken).check(z.regex(/^[!-~]{1,2048}$/, isToken))) },
  'must be a JSON object',
)
