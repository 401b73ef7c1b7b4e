/** The DynamoDB client and the few facts about its errors that adapters act on. */
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/** Region, credentials and endpoint come from the environment, read by the SDK itself. */
export function connectDynamoDb(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
  })
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}

export type CancellationReason = NonNullable<TransactionCanceledException['CancellationReasons']>[number]

/** One reason per item of a cancelled transaction, or undefined when `error` is something else. */
export function cancellationReasons(error: unknown): readonly CancellationReason[] | undefined {
  return error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : undefined
}

/** The condition of an item did not hold. */
export const conditionFailed = (reason: CancellationReason | undefined): boolean =>
  reason?.Code === 'ConditionalCheckFailed'

const busyReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

const busyErrors = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
  'TransactionInProgressException',
])

/**
 * Nothing was written and a retry may succeed: throttled, or a conflict with another transaction.
 */
export function isBusy(error: unknown): boolean {
  const reasons = cancellationReasons(error)
  if (reasons !== undefined) return reasons.some(({ Code = '' }) => busyReasons.has(Code))
  return error instanceof Error && busyErrors.has(error.name)
}

/** No usable answer: the network, a timeout, a fault of the service. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DynamoDBServiceException) return (error.$metadata.httpStatusCode ?? 0) >= 500
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true
  return 'code' in error && /^E(?!RR_)/.test(String(error.code))
}

/** False when the condition of a single write did not hold. */
export async function hasHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}

/** An item that no version of this code has written. */
export class UnexpectedItem extends Error {
  constructor(what: string, detail: string) {
    super(`${what} in the table is not what this version writes: ${detail}`)
    this.name = 'UnexpectedItem'
  }
}
