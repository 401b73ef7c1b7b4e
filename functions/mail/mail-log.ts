/**
 * The port to the record of sent e-mails, which keeps a repeated change from sending one twice. The service
 * has no idempotency key, so after a crash between sending and marking one e-mail is sent again: a second
 * copy is better than none.
 */

import type { OrderId } from '../../core/ids.ts'

/** Which e-mail: the one about a revision of an order, or the one about a credited packet. */
export type MailId = { orderId: OrderId; revision: number } | { packetId: string }

export type MailLog = {
  /**
   * Takes the e-mail for `leaseMs`. `done`: it was sent, or given up. `leased`: another invocation sends it
   * now, or has crashed.
   */
  begin: (id: MailId) => Promise<'begun' | 'done' | 'leased'>
  /** Nothing is to be done for it any more. */
  finish: (id: MailId) => Promise<void>
  /** It was certainly not sent: the next try need not wait for the end of the lease. */
  release: (id: MailId) => Promise<void>
}

/** Longer than an invocation may take, ms. */
export const leaseMs = 30_000
