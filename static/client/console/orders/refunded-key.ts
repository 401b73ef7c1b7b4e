/** The message after a refund. */
import type { Refunded } from '../../../../core/api/control-answers.ts'
import type { consoleMessages } from '../../../messages/catalogues.ts'

/** The key of the message, by the status of the order after the refund and the money that goes back now. */
export function refundedKey({ status, refund }: Pick<Refunded, 'status' | 'refund'>): keyof typeof consoleMessages {
  switch (status) {
    case 'cancelled':
      return 'refund.cancelled'
    case 'refund-due':
      return 'refund.due'
    case 'shipped':
    case 'delivered':
      return refund === null ? 'refund.already' : 'refund.due'
    case 'refunded':
      return 'refund.done'
    default:
      return 'do.done'
  }
}
