/** The DynamoDB client, reads and updates of one item, and the few facts about its errors that adapters act on. */
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type * as z from 'zod/mini'
import { parse } from '../../core/lib/parse.ts'
import type { Table } from '../lib/shop/shop.ts'
import type { ItemKey } from './keys.ts'
import type { Item } from './query.ts'

/** Connects to DynamoDB. The SDK reads region, credentials and endpoint from the environment. */
export function connectDynamoDb(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK only warns and keeps waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
  })
  // Without convertClassInstanceToMap the library takes a map with a key `constructor` for an instance of a class.
  const marshallOptions = { removeUndefinedValues: true, convertClassInstanceToMap: true }
  return DynamoDBDocumentClient.from(client, { marshallOptions })
}

export type CancellationReason = NonNullable<TransactionCanceledException['CancellationReasons']>[number]

/** Returns one reason per item of a cancelled transaction, or undefined when `error` is something else. */
export function cancellationReasons(error: unknown): readonly CancellationReason[] | undefined {
  return error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : undefined
}

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

/** True when nothing was written and a retry may succeed: throttled, or a conflict with another transaction. */
export function isBusy(error: unknown): boolean {
  const reasons = cancellationReasons(error)
  if (reasons !== undefined) return reasons.some(({ Code = '' }) => busyReasons.has(Code))
  return error instanceof Error && busyErrors.has(error.name)
}

/** True when there was no usable answer: the network, a timeout, a fault of the service. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DynamoDBServiceException) return (error.$metadata.httpStatusCode ?? 0) >= 500
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true
  return 'code' in error && /^E(?!RR_)/.test(String(error.code))
}

/** Awaits a single write; false when its condition failed. */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}

/** Updates one item; false when its condition failed. @throws when the table is unavailable */
export function updateIf({ client, name }: Table, update: Omit<UpdateCommandInput, 'TableName'>): Promise<boolean> {
  return conditionHeld(client.send(new UpdateCommand({ TableName: name, ...update })))
}

/** Thrown for an item that no version of this code has written. */
export class UnexpectedItem extends Error {
  constructor(what: string, detail: string) {
    super(`${what} in the table is not what this version writes: ${detail}`)
    this.name = 'UnexpectedItem'
  }
}

/** Returns the item, undefined when it is missing; strongly consistent. @throws when the table is unavailable */
export async function findItem({ client, name }: Table, Key: ItemKey): Promise<Item | undefined> {
  const get = new GetCommand({ TableName: name, Key, ConsistentRead: true })
  return (await client.send(get)).Item
}

/** Reads an item by `schema`. @throws UnexpectedItem */
export function readStored<S extends z.core.$ZodType>(what: string, schema: S, item: unknown): z.output<S> {
  const read = parse(schema, item)
  if (!read.ok) throw new UnexpectedItem(what, read.detail)
  return read.value
}
