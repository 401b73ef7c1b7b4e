/** The port to what the payment provider reports: one adapter for each way to sign and to say it. */
import type { PaymentEvent } from '../../../core/orders/payment-event.ts'

/** Header names are lower case; `body` is as it was signed. */
export type WebhookMessage = { headers: Readonly<Record<string, string | undefined>>; body: string }

/**
 * `event`: signed with a known secret within the last minutes. `eventId` is the same in every repeat, and `digest`
 * separates a repeat from another event under that id. `ignored`: signed, and of a type that is not used. `unsigned`:
 * `fault` says what is wrong with the signature. `malformed`: signed, and not as the provider documents it.
 */
type ReadWebhook =
  | { kind: 'event'; event: PaymentEvent; eventId: string; digest: string }
  | { kind: 'ignored' }
  | { kind: 'unsigned'; fault: string }
  | { kind: 'malformed'; field: string; detail: string }

export type PaymentWebhooks = {
  /** @throws when the provider must be asked for more, and does not answer */
  read: (message: WebhookMessage) => Promise<ReadWebhook>
}
