/**
 * How a provider talks to the shop: its API, and what its messages say and how they are signed. The
 * payments, the shopper's page and the delivery of messages are the same for all.
 */
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import type { ProviderRequest } from '../../functions/orders/payments/simulated-api.ts'
import type { Report } from '../../functions/orders/payments/simulated-book.ts'
import type { Message } from '../../functions/table/orders/simulated-payments.ts'

export type Dialect = {
  /** All paths of its API begin so. */
  prefix: string
  /** Answers a call of the shop. */
  answer(request: ProviderRequest): Promise<HttpAnswer>
  compose(report: Report): Message
  sign(message: Message, now: Date): Record<string, string>
}
