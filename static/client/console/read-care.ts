/** What `/api/control` answers to the repairs, from `unknown` to numbers and words. */
import type { OrderStatus } from '../../../core/order.ts'
import type { consoleMessages } from '../../messages/console.ts'
import { fieldsOf, readStatus } from '../wire.ts'
import { number, numbers } from './read-numbers.ts'

/** The units by which Redis and the orders differed before the repair; null when unknown. */
export type Checked = { drift: number | null }

export function readChecked(body: unknown): Checked | undefined {
  const fields = fieldsOf(body)
  return fields === undefined ? undefined : { drift: number(fields, 'drift') }
}

/** What stands in Redis again. */
export function readRecovered(body: unknown): { orders: number; units: number } | undefined {
  return numbers(body, ['orders', 'units']) ?? undefined
}

/** Dead letters that were sent again, and about how many are left. */
export function readRedriven(body: unknown): { moved: number; left: number } | undefined {
  return numbers(body, ['moved', 'left']) ?? undefined
}

/** What the order is now. */
export function readRefunded(body: unknown): { status: OrderStatus } | undefined {
  const status = readStatus(fieldsOf(body)?.status)
  return status === undefined ? undefined : { status }
}

/** What a refund came to, by what the order is afterwards. */
export function refundedKey(status: OrderStatus): keyof typeof consoleMessages {
  switch (status) {
    case 'cancelled':
      return 'refund.cancelled'
    case 'refund-due':
      return 'refund.due'
    case 'refunded':
      return 'refund.done'
    default:
      return 'do.done'
  }
}
