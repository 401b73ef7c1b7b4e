/**
 * Transactions. DynamoDB cancels one of two that conflict on an item; the caller decides whether to retry. The body of the
 * request is written here: the SDK would take half of the writer's time per order, because it walks every item twice, once for
 * the types of the values and once for the schema of the request.
 */
import { randomUUID } from 'node:crypto'
import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { retry } from '../lib/retry.ts'
import type { Table } from '../lib/shop/shop.ts'
import { type CancellationReason, cancellationReasons, conditionFailed, isBusy, isUnavailable } from './dynamodb.ts'

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The items of one transaction; repeats with the same `token` have no second effect. */
export class TransactionRequest extends TransactWriteItemsCommand {
  readonly body: string

  /** @throws TypeError for a value that the table has no place for */
  constructor(items: readonly TransactionItem[], token: string) {
    super({ TransactItems: [] })
    const body = JSON.stringify({ TransactItems: items.map(inWireForm), ClientRequestToken: token })
    this.body = body
    this.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { body })
        return next(args)
      },
      { step: 'build', priority: 'high', name: 'ownBody' },
    )
  }
}

const mapsOfValues = ['Key', 'Item', 'ExpressionAttributeValues'] as const

/** Puts, updates, deletes and checks hold their values in the same places. */
function inWireForm(item: TransactionItem): object {
  return Object.fromEntries(
    Object.entries(item).map(([kind, request]) => {
      const wire: Record<string, unknown> = { ...request }
      for (const name of mapsOfValues) {
        const values = wire[name]
        if (typeof values === 'object' && values !== null) wire[name] = attributesOf(values)
      }
      return [kind, wire]
    }),
  )
}

/** Converts values to the wire format, without undefined ones. */
export function attributesOf(values: object): Record<string, unknown> {
  const attributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) attributes[name] = attributeOf(value)
  }
  return attributes
}

/** False for larger integers, which lose precision. */
const isExact = (number: number) => Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER

function attributeOf(value: unknown): object {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number' && isExact(value)) return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value === null) return { NULL: true }
  if (Array.isArray(value)) return { L: value.map(attributeOf) }
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) return { M: attributesOf(value) }
  throw new TypeError(`the table has no place for ${String(value)}`)
}

/**
 * The maximum duration of one transaction, ms, retries of the SDK included. The retries alone would wait three times 2 s for an
 * unavailable table, and the invocation would end before it could report.
 */
const maxWriteMs = 2500

/** Writes all items or none, in one try. @throws DynamoDB's refusal, and when there is no answer in time */
export async function transactOnce(
  { client, writeTimeoutMs = maxWriteMs }: Table,
  items: readonly TransactionItem[],
): Promise<void> {
  const abortSignal = AbortSignal.timeout(writeTimeoutMs)
  await client.send(new TransactionRequest(items, randomUUID()), { abortSignal })
}

/** The result of one try; a refusal has a reason for each item, in order. */
export type TransactionResult =
  | { kind: 'written' }
  | { kind: 'busy' }
  | { kind: 'unavailable'; cause: unknown }
  | { kind: 'refused'; reasons: readonly CancellationReason[] }

/** Writes all items or none, in one try. @throws only for faults of ours */
export async function runTransaction(table: Table, items: readonly TransactionItem[]): Promise<TransactionResult> {
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
 * Writes all items or, when a condition failed, none. Retries conflicts with other transactions. All tries share one token: if
 * a try succeeded and its response was lost, the next one reports success instead of failing on its own items.
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
