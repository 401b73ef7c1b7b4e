/** The message after a refund. */
import type { OrderStatus } from '../../../core/order.ts'
import type { consoleMessages } from '../../messages/console.ts'

/** The key of the message, by the status of the order after the refund. */
export function refundedKey(status: OrderStatus): keyof typeof consoleMessages {
  switch (status) {
    case 'cancelled':
      return 'refund.cancelled'
    case 'refund-due':
    case 'shipped':
    case 'delivered':
      return 'refund.due'
    case 'refunded':
      return 'refund.done'
    default:
      return 'do.done'
  }
}
