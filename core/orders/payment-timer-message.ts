/** The delayed message that triggers a check, once the time to pay is over, whether orders were paid (O8). */
import * as z from 'zod/mini'
import { parseOrderId } from '../ids.ts'
import { readBy, whole } from '../lib/parse.ts'

/** Orders one message may name: two full batches of the writer, and far below the size of a message. */
export const maxDeadlineOrders = 100

/** `at` is when the orders may be cancelled, epoch ms. */
export const paymentDeadline = z.strictObject(
  {
    orderIds: z
      .array(readBy(parseOrderId, 'is not a valid id'), 'must be a list')
      .check(z.minLength(1, 'must not be empty'), z.maxLength(maxDeadlineOrders, 'is too long')),
    at: whole(0, Number.MAX_SAFE_INTEGER),
  },
  'must be a JSON object',
)

export type PaymentDeadline = z.infer<typeof paymentDeadline>
