/** Which functions and which queue serve a sale of a kind. */
import type { FunctionName } from '../system/functions.ts'
import type { QueueName } from '../system/queues.ts'
import type { Plan } from './plan.ts'

/** `seller` takes the clicks that were let through; winners' pages look at `looked` afterwards. */
export function rolesOf({ kind }: Pick<Plan, 'kind'>): {
  seller: FunctionName
  looked: FunctionName
  queue: QueueName
} {
  return kind === 'red-packet'
    ? { seller: 'claim', looked: 'wallet', queue: 'claims' }
    : { seller: 'reserve', looked: 'orders', queue: 'orders' }
}
