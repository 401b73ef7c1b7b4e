/** What the stream of the table says: an order was written, or a wallet was credited. */
import type { CreditMail } from '../../core/mail.ts'
import type { ChangedOrder } from './due.ts'

/** `sequenceNumber` names the record within its part of the stream. */
export type Change = { sequenceNumber: string } & (
  | { kind: 'order'; order: ChangedOrder }
  | { kind: 'credit'; credit: Omit<CreditMail, 'kind'> }
  /** An item that no version known here writes; `detail` holds nothing of its content. */
  | { kind: 'unreadable'; detail: string }
)
