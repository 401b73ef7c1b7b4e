/** The table between its functions and DynamoDB: what is sent has a name, and can be refused, delayed or answered. */
import { TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { TransactionRequest } from '../../../functions/table/transaction.ts'

/** A command of the document client. */
export type Sent = { input: object; constructor: { name: string } }

const writes = /^(?:Put|Update|Delete|BatchWrite)Command$/
export const isWrite = (command: Sent) =>
  command instanceof TransactWriteItemsCommand || writes.test(command.constructor.name)

/** `transact`, `get`, `batch get`, …: words for the trace. */
export function verbOf(command: Sent): string {
  if (command instanceof TransactionRequest) return 'transact'
  const words = command.constructor.name.replace(/Command$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.toLowerCase()
}

/** What a command says, as JSON. */
export const textOf = (command: Sent): string =>
  command instanceof TransactionRequest ? command.body : JSON.stringify(command.input)

/** The kinds of the items that a command names, in the words of their keys. */
export function itemsOf(command: Sent): readonly string[] {
  const kinds = [...textOf(command).matchAll(kindOfKey)].map(([, pk = '', sk]) => sk ?? pk)
  return [...new Set(kinds)]
}

/** A key in JSON, of a command or on the wire: the first word of its `pk`, and of its `sk` where `pk` has several kinds. */
const kindOfKey =
  /"(?::?pk|:part|:list|:day)":(?:\{"S":)?"(?:(?:SALE|WALLET)#[^"]*"\}?,"sk":(?:\{"S":)?"([A-Z]+)|([A-Z]+))/g

/** Carries out a command, or answers it in another way. `name` is its verb and its items: `query ORDERS`. */
export type Carry = (name: string, send: () => Promise<object>, command: Sent) => Promise<object>

/** The table, each of its commands carried out by `carry`. */
export function onWire(table: Table, carry: Carry): Table {
  const send = (command: Sent) =>
    carry(
      `${verbOf(command)} ${itemsOf(command).join('+')}`,
      () => (table.client.send as (command: Sent) => Promise<object>)(command),
      command,
    )
  return { ...table, client: { send } as unknown as Table['client'] }
}

export type CarryAt = (send: () => Promise<object>, command: Sent) => Promise<object>

/** The table, where commands of that name are carried out by `carry`. */
export function onWireAt(table: Table, at: string | RegExp, carry: CarryAt): Table {
  const isAt = (name: string) => (typeof at === 'string' ? name === at : at.test(name))
  return onWire(table, (name, send, command) => (isAt(name) ? carry(send, command) : send()))
}

/** Another transaction uses an item of this one. */
export function conflict(): TransactionCanceledException {
  return new TransactionCanceledException({
    message: 'Transaction cancelled [TransactionConflict]',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
    $metadata: { httpStatusCode: 400 },
  })
}
