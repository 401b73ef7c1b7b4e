/** Transactions that wait for their turn: DynamoDB cancels one of two that meet at an item. */
import { setTimeout as pause } from 'node:timers/promises'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { backOffMs } from '../back-off.ts'
import { cancellationReasons, conditionFailed, isBusy, type Table } from './dynamodb.ts'

export type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/**
 * The longest one transaction may take, with what the SDK repeats of it. Its repetitions alone would wait for a table
 * that does not answer three times 2 s, and the invocation would end before it could report.
 */
export const longestWriteMs = 2500

/** The writers of a hot sale hold its cap nearly all the time, so a transaction on it is tried for a second at most. */
const maxTries = 8

/** Writes all items or, when a condition failed, none. Meeting another transaction says nothing about this one. */
export async function transact(
  { client }: Table,
  items: readonly TransactionItem[],
): Promise<'written' | 'refused'> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: [...items] }))
      return 'written'
    } catch (error) {
      if (cancellationReasons(error)?.some(conditionFailed)) return 'refused'
      if (!isBusy(error) || tries === maxTries) throw error
    }
    await pause(backOffMs(tries))
  }
}
