/** The port for reports of the payment provider. Each provider's signature and format has an adapter. */
import type { PaymentEvent } from '../../../core/orders/payment-event.ts'

/** Header names are lower case; `body` is the text that was signed. */
export type WebhookMessage = { headers: Readonly<Record<string, string | undefined>>; body: string }

/**
 * `event`: signed with a known secret within the last minutes. `eventId` is the same in every repeat, and `digest`
 * distinguishes a repeat from another event with that id. `ignored`: signed, but of an unused type. `unsigned`: `fault`
 * says what is wrong with the signature. `malformed`: signed, but not in the provider's documented form.
 */
type ReadWebhook =
  | { kind: 'event'; event: PaymentEvent; eventId: string; digest: string }
  | { kind: 'ignored' }
  | { kind: 'unsigned'; fault: string }
  | { kind: 'malformed'; field: string; detail: string }

export type PaymentWebhooks = {
  /** Verifies and reads a message. @throws when the provider must be asked for more and does not answer */
  read: (message: WebhookMessage) => Promise<ReadWebhook>
}
