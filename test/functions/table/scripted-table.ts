/** A table with scripted answers, for cases that a real table does not produce on demand. */
import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { connectDynamoDb } from '../../../functions/table/dynamodb.ts'
import { TransactionRequest } from '../../../functions/table/transaction.ts'

/** Returns `answers` in order, throws those that are errors, and repeats the last. `inputs` are the requests it received. */
export function scripted(...answers: readonly unknown[]): Table & { inputs: unknown[] } {
  const client = connectDynamoDb()
  const inputs: unknown[] = []
  client.send = async (command: { input: unknown }) => {
    const answer = answers[Math.min(inputs.length, answers.length - 1)]
    inputs.push(command instanceof TransactionRequest ? JSON.parse(command.body) : command.input)
    if (answer instanceof Error) throw answer
    return answer
  }
  return { client, name: 'sluice', inputs }
}

/** A transaction cancelled for these reasons, one for each of its items. */
export function cancelled(...reasons: readonly (string | CancellationReason)[]): TransactionCanceledException {
  return new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: reasons.map((reason) => (typeof reason === 'string' ? { Code: reason } : reason)),
  })
}

export function named(name: string): Error {
  return Object.assign(new Error(name), { name })
}
