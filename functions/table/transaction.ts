/**
 * Transactions. DynamoDB cancels one of two that meet at an item; the caller decides whether to
 * wait.
 */
import { randomUUID } from 'node:crypto'
import { retry } from '../lib/retry.ts'
import type { Table } from '../lib/shop/table.ts'
import { type CancellationReason, cancellationReasons, conditionFailed, isBusy, isUnavailable } from './dynamodb.ts'
import { type TransactionItem, TransactionRequest } from './transaction-request.ts'

export type { TransactionItem }

/**
 * The longest one transaction may take, retries of the SDK included. Those alone would wait three
 * times 2 s for a table that does not answer, and the invocation would end before it could report.
 */
const longestWriteMs = 2500

/**
 * Writes all items or none, in one try.
 * @throws DynamoDB's refusal, and when there is no answer in time
 */
export async function transactOnce(
  { client, writeTimeoutMs = longestWriteMs }: Table,
  items: readonly TransactionItem[],
): Promise<void> {
  const abortSignal = AbortSignal.timeout(writeTimeoutMs)
  await client.send(new TransactionRequest(items, randomUUID()), { abortSignal })
}

/** The result of one try; a refusal has a reason for each item, in order. */
export type Attempt =
  | { kind: 'written' }
  | { kind: 'busy' }
  | { kind: 'unavailable'; cause: unknown }
  | { kind: 'refused'; reasons: readonly CancellationReason[] }

/**
 * Writes all items or none, in one try.
 * @throws only for faults of ours
 */
export async function attempt(table: Table, items: readonly TransactionItem[]): Promise<Attempt> {
  try {
    await transactOnce(table, items)
    return { kind: 'written' }
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' }
    if (isUnavailable(error)) return { kind: 'unavailable', cause: error }
    const reasons = cancellationReasons(error)
    if (reasons?.some(conditionFailed) !== true) throw error
    return { kind: 'refused', reasons }
  }
}

/** The writers of a hot sale use its cap nearly all the time, so retry for at most a second. */
export const maxTries = 8

/**
 * Writes all items or, when a condition failed, none. A conflict with another transaction is
 * retried. All tries share one token: when a try succeeded and its answer was lost, the next one
 * reports success instead of failing on its own items.
 */
export async function transact({ client }: Table, items: readonly TransactionItem[]): Promise<'written' | 'refused'> {
  const token = randomUUID()
  return retry<'written' | 'refused'>(async (tries) => {
    try {
      await client.send(new TransactionRequest(items, token))
      return 'written'
    } catch (error) {
      if (cancellationReasons(error)?.some(conditionFailed)) return 'refused'
      if (!isBusy(error) || tries === maxTries) throw error
      return undefined
    }
  })
}
