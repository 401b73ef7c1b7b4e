/** Intercepts the commands of a table: each has a name, and can be rejected, delayed or answered. */
import { TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { TransactionRequest } from '../../../functions/table/transaction.ts'

/** A command of the document client. */
export type Sent = { input: object; constructor: { name: string } }

const writes = /^(?:Put|Update|Delete|BatchWrite)Command$/
export const isWrite = (command: Sent) =>
  command instanceof TransactWriteItemsCommand || writes.test(command.constructor.name)

/** Returns the verb of a command for the trace, such as `transact` or `batch get`. */
export function verbOf(command: Sent): string {
  if (command instanceof TransactionRequest) return 'transact'
  const words = command.constructor.name.replace(/Command$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.toLowerCase()
}

/** Returns the input of a command as JSON. */
export const commandJson = (command: Sent): string =>
  command instanceof TransactionRequest ? command.body : JSON.stringify(command.input)

/** Returns the kinds of the items that a command names, by the words of their keys. */
export function itemsOf(command: Sent): readonly string[] {
  const kinds = [...commandJson(command).matchAll(kindOfKey)].map(([, pk = '', sk]) => sk ?? pk)
  return [...new Set(kinds)]
}

/** Matches a key in JSON: the first word of its `pk`, or of its `sk` where a `pk` has several kinds. */
const kindOfKey =
  /"(?::?pk|:part|:list|:day)":(?:\{"S":)?"(?:(?:SALE|WALLET)#[^"]*"\}?,"sk":(?:\{"S":)?"([A-Z]+)|([A-Z]+))/g

/** Sends a command, or answers it in another way. `name` is its verb and items, such as `query ORDERS`. */
export type CarryOut = (name: string, send: () => Promise<object>, command: Sent) => Promise<object>

/** Returns the table with `carryOut` around each command. */
export function onWire(table: Table, carryOut: CarryOut): Table {
  const send = (command: Sent) =>
    carryOut(
      `${verbOf(command)} ${itemsOf(command).join('+')}`,
      () => (table.client.send as (command: Sent) => Promise<object>)(command),
      command,
    )
  return { ...table, client: { send } as unknown as Table['client'] }
}

export type CarryOutAt = (send: () => Promise<object>, command: Sent) => Promise<object>

/** Returns the table with `carryOut` around the commands of that name. */
export function onWireAt(table: Table, at: string | RegExp, carryOut: CarryOutAt): Table {
  const isAt = (name: string) => (typeof at === 'string' ? name === at : at.test(name))
  return onWire(table, (name, send, command) => (isAt(name) ? carryOut(send, command) : send()))
}

/** Returns the error of a transaction that conflicts with another. */
export function conflict(): TransactionCanceledException {
  return new TransactionCanceledException({
    message: 'Transaction cancelled [TransactionConflict]',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
    $metadata: { httpStatusCode: 400 },
  })
}
