/**
 * Payouts in DynamoDB, in the wallet that they are from. The balance names the payout under way, so there is
 * one at a time in each currency. A payout that has ended stays, on another list.
 */
import * as z from 'zod/mini'
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import { readBy, whole } from '../../../core/lib/parse.ts'
import { type PayoutReason, payoutReasons } from '../../../core/packets/statement.ts'
import type { Payout, PayoutOutcome } from '../../lib/shop/payout-provider.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, readStored, UnexpectedItem, updateIf } from '../dynamodb.ts'
import {
  accountKey,
  balanceKey,
  donePayoutsList,
  duePayoutsList,
  type ItemKey,
  payoutKey,
  payoutListKey,
} from '../keys.ts'
import { readList } from '../list.ts'
import { dueUpdate } from '../orders/due-money.ts'
import { attempt, transact } from '../transaction.ts'

/** A payout, and how it ended at `at`; without an `end` it is on its way. */
export type PayoutRecord = {
  payout: Payout
  end?: { kind: 'paid' | 'refused'; at: number; reason?: PayoutReason | undefined } | undefined
}

/** The facts of a wallet that a payout needs. `open` is the payout of that currency under way. */
type Withdrawable = { amount: number; open?: Payout; account?: string }

const text = z.string('must be a string')
const count = whole(0, Number.MAX_SAFE_INTEGER)

const end = z.object(
  { kind: z.enum(['paid', 'refused']), at: count, reason: z.optional(z.enum(payoutReasons)) },
  'must be an end',
)

const storedPayout = z.object({
  payout: z.object(
    {
      payoutId: text,
      shopperId: readBy(parseShopperId, 'must be a shopper id'),
      amount: whole(1, Number.MAX_SAFE_INTEGER),
      currency: text,
      account: z.optional(text),
      requestedAt: count,
    },
    'must be a payout',
  ),
  end: z.optional(end),
})

const storedBalance = z.object({ amount: count, payout: z.optional(text) })
const storedAccount = z.object({ account: text })

/** Payouts that have not ended, oldest first; eventually consistent. */
export async function duePayouts(table: Table): Promise<readonly Payout[]> {
  return (await readList(table, duePayoutsList)).map((item) => readPayout(item).payout)
}

/** Strongly consistent. */
export async function findWithdrawable(table: Table, shopperId: ShopperId, currency: string): Promise<Withdrawable> {
  const [balance, account] = await Promise.all([
    readOne(table, balanceKey(shopperId, currency), storedBalance),
    readOne(table, accountKey(shopperId), storedAccount),
  ])
  const { amount = 0, payout: payoutId } = balance ?? {}
  const open = payoutId === undefined ? undefined : await readOne(table, payoutKey(shopperId, payoutId), storedPayout)
  return {
    amount,
    // Between the two reads it may have ended.
    ...(open !== undefined && open.end === undefined && { open: open.payout }),
    ...(account !== undefined && account),
  }
}

/**
 * Records the shopper's account at the provider, unless another one than `known` is recorded. The answer is
 * the account that is recorded then.
 */
export async function keepPayoutAccount(
  table: Table,
  shopperId: ShopperId,
  account: string,
  known: string | undefined,
): Promise<string> {
  const isKept = await updateIf(table, {
    Key: accountKey(shopperId),
    UpdateExpression: 'SET account = :account',
    ConditionExpression: `attribute_not_exists(account)${known === undefined ? '' : ' OR account = :known'}`,
    ExpressionAttributeValues: { ':account': account, ...(known !== undefined && { ':known': known }) },
  })
  if (isKept) return account
  const kept = await readOne(table, accountKey(shopperId), storedAccount)
  if (kept === undefined) throw new UnexpectedItem('an account', 'it was removed')
  return kept.account
}

/**
 * Takes the money and records the payout, or neither. `changed`: the balance is not `seen`, or a payout
 * is under way; `busy`: another change was written at the same moment.
 * @throws when the table is unavailable
 */
export async function requestPayout(
  table: Table,
  payout: Payout,
  seen: number,
): Promise<'requested' | 'changed' | 'busy'> {
  const { payoutId, shopperId, currency, amount, requestedAt } = payout
  const TableName = table.name
  const place = { key: payoutKey(shopperId, payoutId), list: payoutListKey(requestedAt, payoutId) }
  const tried = await attempt(table, [
    {
      Update: {
        TableName,
        Key: balanceKey(shopperId, currency),
        UpdateExpression: 'SET amount = :left, payout = :id',
        ConditionExpression: 'amount = :seen AND attribute_not_exists(payout)',
        ExpressionAttributeValues: { ':seen': seen, ':left': seen - amount, ':id': payoutId },
      },
    },
    { Update: dueUpdate(TableName, { ...place, field: 'payout' }, payout) },
  ])
  if (tried.kind === 'unavailable') throw tried.cause
  if (tried.kind === 'refused') return 'changed'
  return tried.kind === 'written' ? 'requested' : 'busy'
}

/**
 * Ends a payout at `at` (epoch ms), exactly once; a refused one gives the money back in the same transaction.
 * `repeat`: it ended so before. `contradicted`: it ended in the other way, which stays.
 */
export async function endPayout(
  table: Table,
  payout: Payout,
  outcome: PayoutOutcome,
  at: number,
): Promise<'ended' | 'repeat' | 'contradicted'> {
  const { payoutId, shopperId, currency, amount } = payout
  const TableName = table.name
  const isBack = outcome.kind === 'refused'
  const written = await transact(table, [
    {
      Update: {
        TableName,
        Key: payoutKey(shopperId, payoutId),
        UpdateExpression: 'SET #end = :end, listPk = :done',
        ConditionExpression: 'listPk = :due',
        ExpressionAttributeNames: { '#end': 'end' },
        ExpressionAttributeValues: {
          ':end': { ...outcome, at },
          ':done': donePayoutsList,
          ':due': duePayoutsList,
        },
      },
    },
    {
      Update: {
        TableName,
        Key: balanceKey(shopperId, currency),
        UpdateExpression: `${isBack ? 'ADD amount :amount ' : ''}REMOVE payout`,
        ConditionExpression: 'payout = :id',
        ExpressionAttributeValues: { ':id': payoutId, ...(isBack && { ':amount': amount }) },
      },
    },
  ])
  if (written === 'written') return 'ended'
  const stored = await readOne(table, payoutKey(shopperId, payoutId), storedPayout)
  return stored?.end?.kind === outcome.kind ? 'repeat' : 'contradicted'
}

async function readOne<S extends z.ZodMiniType>(
  table: Table,
  Key: ItemKey,
  schema: S,
): Promise<z.output<S> | undefined> {
  const item = await findItem(table, Key)
  return item && readStored('an item of a wallet', schema, item)
}

/**
 * The payout in an item.
 * @throws UnexpectedItem
 */
export const readPayout = (item: unknown) => readStored('a payout', storedPayout, item)
