/**
 * The table in memory answers as DynamoDB does: random commands run on both, in one order, and every answer, every
 * refusal and all items in the end are the same. It refuses what our stores do not use, so that nothing can pass on it
 * alone. `npm run test:soak` runs more of them.
 */
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { queryPages } from '../../functions/table/query.ts'
import { type TransactionItem, TransactionRequest } from '../../functions/table/transaction.ts'
import { memoryTable, tableName } from '../../proof/simulation/dynamodb/memory-table.ts'
import { inSample } from '../whole-plays.ts'
import { useDynamoTable } from './cloud.ts'

const real = useDynamoTable()

const partitions = ['a', 'b'] as const
const key = fc.record({ pk: fc.constantFrom(...partitions), sk: fc.constantFrom('1', '10', '2', 'é', '\u{1f600}') })
const count = fc.integer({ min: -3, max: 6 })
const text = fc.constantFrom('', 'red', 'redder', 'é')
const attributes = fc.record(
  {
    count,
    note: text,
    seen: fc.boolean(),
    nothing: fc.constant(null),
    history: fc.array(text, { maxLength: 3 }),
    refund: fc.record({ amount: count, by: text }, { noNullPrototype: true }),
    listPk: fc.constantFrom('L', 'M'),
    listSk: fc.constantFrom('1', '2', '3'),
    status: fc.constantFrom('paid', 'shipped'),
    orderNumber: fc.constantFrom('7', '8'),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const item = fc.tuple(key, attributes).map(([one, others]) => ({ ...one, ...others }))

type Expression = { text: string; names?: Record<string, string>; values?: Record<string, unknown> }

/** Items of the stores, in their shapes. */
const condition: fc.Arbitrary<Expression | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<Expression>(
    { text: 'attribute_not_exists(pk)' },
    { text: 'attribute_exists(pk)' },
    { text: 'attribute_exists(#c) AND attribute_not_exists(nothing)', names: { '#c': 'count' } },
  ),
  fc
    .tuple(
      fc.constantFrom(
        'count >= :n',
        'count = :n',
        'attribute_not_exists(pk) OR count <= :n',
        'size(history) = :n',
        'refund.amount = :n',
        'count > :n OR (attribute_not_exists(count) AND refund.amount < :n)',
        '#c = :n AND attribute_not_exists(seen)',
      ),
      count,
    )
    .map(([words, n]) => ({
      text: words.replace(/\bcount\b/g, '#c'),
      ...(/#c|\bcount\b/.test(words) && { names: { '#c': 'count' } }),
      values: { ':n': n },
    })),
  text.map((by) => ({ text: 'note = :t', values: { ':t': by } })),
)
const update: fc.Arbitrary<Expression> = fc.oneof(
  count.map((n) => ({ text: 'ADD #c :n', names: { '#c': 'count' }, values: { ':n': n } })),
  fc.tuple(count, text).map(([n, t]) => ({
    text: 'SET note = :t, refund = if_not_exists(refund, :m) REMOVE seen',
    values: { ':t': t, ':m': { amount: n, by: 'x' } },
  })),
  fc.constantFrom('1', '2').map((at) => ({
    text: 'SET listPk = if_not_exists(listPk, :l), listSk = :at ADD #c :one',
    names: { '#c': 'count' },
    values: { ':l': 'L', ':at': at, ':one': 1 },
  })),
  fc.constant({ text: 'REMOVE listPk, nothing' }),
)

const one = fc.oneof(
  fc.record({ kind: fc.constant('Put' as const), item, condition }),
  fc.record({ kind: fc.constant('Update' as const), key, update, condition }),
  fc.record({ kind: fc.constant('Delete' as const), key, condition }),
)
const check = fc.record({
  kind: fc.constant('ConditionCheck' as const),
  key,
  condition: condition.filter((some) => some !== undefined),
})
type One = { kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'; condition: Expression | undefined } & {
  item?: Record<string, unknown>
  key?: Record<string, unknown>
  update?: Expression
}

/** The request of a single write, or of one in a transaction. */
function requestOf(TableName: string, { item, key, update, condition }: One) {
  const names = { ...update?.names, ...condition?.names }
  const values = { ...update?.values, ...condition?.values }
  return {
    TableName,
    ...(item === undefined ? { Key: key } : { Item: item }),
    ...(update && { UpdateExpression: update.text }),
    ...(condition && { ConditionExpression: condition.text }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  }
}

/** Counts the plays: DynamoDB knows a token for minutes, so each play has its own. */
let play = 0

const placeOf = ({ item, key }: Pick<One, 'item' | 'key'>) => {
  const { pk, sk } = item ?? key ?? {}
  return `${String(pk)} ${String(sk)}`
}
const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 6, selector: ({ pk, sk }) => `${pk} ${sk}` })

type Call = (table: Table) => Promise<unknown>
/** `what` is shown when the call is answered in two ways. */
type Command = { what: string; call: Call }
const named = (what: string, call: Call): Command => Object.assign({ what, call }, { [fc.toStringMethod]: () => what })

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: one.map((write) =>
      named(JSON.stringify(write), ({ client, name }) => {
        const input = { ...requestOf(name, write), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as never
        if (write.kind === 'Put') return client.send(new PutCommand(input))
        if (write.kind === 'Delete') return client.send(new DeleteCommand(input))
        return client.send(new UpdateCommand({ ...(input as object), ReturnValues: 'ALL_NEW' } as never))
      }),
    ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: one }, { weight: 1, arbitrary: check }), {
          minLength: 1,
          maxLength: 5,
          selector: placeOf,
        }),
        fc.constantFrom('first', 'second', undefined),
      )
      .map(([writes, token]) =>
        named(`${token} ${JSON.stringify(writes)}`, ({ client, name }) => {
          const items = writes.map((write) => ({
            [write.kind]: { ...requestOf(name, write), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
          }))
          // A token with the same items is a repeat; with others it is another transaction.
          const body = JSON.stringify(writes)
          const hash = [...body].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) | 0, 7)
          const id = token ? `${token}-${play}-${body.length}-${hash}` : crypto.randomUUID()
          return client.send(new TransactionRequest(items as TransactionItem[], id))
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(keys, fc.boolean()).map(([some, isAtOnce]) =>
      named(`read ${JSON.stringify(some)}`, async ({ client, name }) => {
        if (isAtOnce) {
          const TransactItems = some.map((Key) => ({ Get: { TableName: name, Key } }))
          return (await client.send(new TransactGetCommand({ TransactItems }))).Responses
        }
        const RequestItems = { [name]: { Keys: some, ConsistentRead: true } }
        const { Responses } = await client.send(new BatchGetCommand({ RequestItems }))
        return sorted(Responses?.[name] ?? [])
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(fc.oneof(item, key), {
        minLength: 1,
        maxLength: 4,
        selector: (some) => `${some.pk} ${some.sk}`,
      })
      .map((some) =>
        named(`batch ${JSON.stringify(some)}`, async ({ client, name }) => {
          const requests = some.map((each) =>
            Object.keys(each).length === 2 ? { DeleteRequest: { Key: each } } : { PutRequest: { Item: each } },
          )
          await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }))
        }),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        pk: fc.constantFrom(...partitions),
        index: fc.constantFrom('list', 'orders', 'number', undefined),
        status: fc.constantFrom('paid', undefined),
        range: fc.constantFrom('', '>', '<'),
        isForward: fc.boolean(),
        limit: fc.constantFrom(undefined, 1, 2, 3),
        isProjected: fc.boolean(),
      })
      .map((query) => named(JSON.stringify(query), (table) => pagesOf(table, query))),
  },
)

type Asked = {
  pk: string
  index: keyof typeof indexKeys | undefined
  status: string | undefined
  range: string
  isForward: boolean
  limit: number | undefined
  isProjected: boolean
}

/** The keys of each index, and what partition of it is read beside `a` and `b` of the table. */
const indexKeys = {
  list: { hash: 'listPk', sort: 'listSk', partitions: { a: 'L', b: 'M' } },
  orders: { hash: 'pk', sort: 'listSk', partitions: { a: 'a', b: 'b' } },
  number: { hash: 'orderNumber', sort: 'pk', partitions: { a: '7', b: '8' } },
} as const

/** Every page up to the last, read as our stores read them. */
async function pagesOf(table: Table, asked: Asked): Promise<unknown> {
  const { pk, index, status, range, isForward, limit, isProjected } = asked
  const { hash, sort, partitions } =
    index === undefined ? { hash: 'pk', sort: 'sk', partitions: { a: 'a', b: 'b' } } : indexKeys[index]
  const filters = index === 'orders' && status !== undefined
  const query: Parameters<typeof queryPages>[1] = {
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    KeyConditionExpression: `${hash} = :hash${range === '' ? '' : ` AND ${sort} ${range} :from`}`,
    ExpressionAttributeValues: {
      ':hash': partitions[pk as 'a' | 'b'],
      ...(range !== '' && { ':from': '2' }),
      ...(filters && { ':status': status }),
    },
    ScanIndexForward: isForward,
    ...(limit !== undefined && { Limit: limit }),
    ...(filters && { FilterExpression: '#status = :status', ExpressionAttributeNames: { '#status': 'status' } }),
    ...(isProjected &&
      index === undefined && { ProjectionExpression: 'sk, #c', ExpressionAttributeNames: { '#c': 'count' } }),
  }
  const pages: unknown[] = []
  for await (const items of queryPages(table, query)) {
    // The order of two items with equal index keys is undefined.
    pages.push(index === undefined ? items : items.map((item) => item[sort]))
  }
  return pages
}

const sorted = (items: readonly object[]) => items.map((some) => JSON.stringify(some, Object.keys(some).sort())).sort()

/** The answer, or what the error tells our stores. */
async function outcomeOf(call: Call, table: Table): Promise<unknown> {
  try {
    return withoutMetadata(await call(table))
  } catch (error) {
    const { name, CancellationReasons, Item } = error as { name: string; CancellationReasons?: object[]; Item?: object }
    const reasons = CancellationReasons?.map((reason) => ({ ...reason, Message: undefined }))
    return { name, ...(reasons && { reasons }), ...(Item && { Item }) }
  }
}

function withoutMetadata(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const { $metadata: _, ...rest } = answer as Record<string, unknown>
  return rest
}

async function itemsOf({ client, name }: Table): Promise<unknown> {
  const found = await Promise.all(
    partitions.map((pk) =>
      client.send(
        new QueryCommand({
          TableName: name,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          ConsistentRead: true,
        }),
      ),
    ),
  )
  return found.map(({ Items }) => Items)
}

async function emptyTable(table: Table): Promise<void> {
  for (const some of (await itemsOf(table)) as { pk: string; sk: string }[][]) {
    for (const { pk, sk } of some)
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }))
  }
}

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ pk: 'a', sk: String(at + 1) }))
const first = { pk: 'a', sk: '1' }
const valueN = (n: unknown) => ({ ExpressionAttributeValues: { ':n': n } })

const put = (Item: Record<string, unknown>, more: object = {}): Call => {
  return ({ client, name }) => client.send(new PutCommand({ TableName: name, Item, ...more }))
}
const updateFirst = (change: object): Call => {
  return ({ client, name }) => client.send(new UpdateCommand({ TableName: name, Key: first, ...change }))
}
const read = (Keys: Record<string, unknown>[]): Call => {
  return ({ client, name }) => client.send(new BatchGetCommand({ RequestItems: { [name]: { Keys } } }))
}
const deleteAll = (keys: Record<string, unknown>[]): Call => {
  const requests = keys.map((Key) => ({ DeleteRequest: { Key } }))
  return ({ client, name }) => client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }))
}
const transact = (items: Record<string, unknown>[]): Call => {
  const putsIn = (TableName: string) => items.map((Item) => ({ Put: { TableName, Item } }))
  return ({ client, name }) => client.send(new TransactionRequest(putsIn(name), crypto.randomUUID()))
}

describe('the table in memory', () => {
  it('answers every command as DynamoDB does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (commands) => {
        const memory = { client: memoryTable().client, name: tableName }
        play += 1
        await emptyTable(real.table)
        for (const { what, call } of commands) {
          expect(await outcomeOf(call, memory), what).toEqual(await outcomeOf(call, real.table))
        }
        expect(await itemsOf(memory)).toEqual(await itemsOf(real.table))
      }),
      { numRuns: inSample(60, 400) },
    )
  })

  it('pages a query of more than a megabyte where DynamoDB does', async () => {
    const memory = { client: memoryTable().client, name: tableName }
    await emptyTable(real.table)
    const sizes: number[][] = []
    for (const table of [memory, real.table]) {
      for (let at = 10; at < 18; at += 1) {
        const Item = { pk: 'a', sk: String(at), note: 'é'.repeat(100_000), count: 12_345 }
        await table.client.send(new PutCommand({ TableName: table.name, Item }))
      }
      const none = { index: undefined, status: undefined, limit: undefined }
      const asked = { ...none, pk: 'a', range: '', isForward: true, isProjected: false }
      sizes.push(((await pagesOf(table, asked)) as unknown[][]).map(({ length }) => length))
    }
    expect(sizes[0]).toEqual(sizes[1])
    expect(sizes[0]?.length).toBeGreaterThan(1)
    await emptyTable(real.table)
  })

  it.each<[string, Call]>([
    ['a batch of 101 reads', read(many(101))],
    ['an item twice in one batch', read([...many(1), ...many(1)])],
    ['a batch of 26 writes', deleteAll(many(26))],
    ['a transaction of 101 items', transact(many(101))],
    ['an item twice in one transaction', transact([...many(1), ...many(1)])],
    ['an item of more than 400 kB', put({ ...first, note: 'x'.repeat(410_000) })],
    ['an item without a key', put({ pk: 'a' })],
    ['an empty key', ({ client, name }) => client.send(new GetCommand({ TableName: name, Key: { pk: 'a', sk: '' } }))],
    ['a place in the index that is no text', put({ ...first, listPk: 1, listSk: 'x' })],
    ['a value that no expression uses', put(first, { ConditionExpression: 'attribute_not_exists(pk)', ...valueN(1) })],
    ['an expression whose value is missing', updateFirst({ UpdateExpression: 'SET note = :n' })],
    ['a reserved word without a placeholder', updateFirst({ UpdateExpression: 'SET status = :n', ...valueN(1) })],
    ['a change of the key', updateFirst({ UpdateExpression: 'SET sk = :n', ...valueN('x') })],
    [
      'a consistent read of the index',
      ({ client, name }) => {
        const query = { IndexName: 'list', ConsistentRead: true, KeyConditionExpression: 'listPk = :n' }
        return client.send(new QueryCommand({ TableName: name, ...query, ...valueN('L') }))
      },
    ],
  ])('refuses %s, like DynamoDB', async (_, call) => {
    const memory = { client: memoryTable().client, name: tableName }
    for (const table of [memory, real.table]) {
      await expect(call(table), table.name).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }))
    }
  })

  it.each([
    ['an operator that no store uses', 'count <> :n'],
    ['a function that no store uses', 'contains(note, :n)'],
    ['an expression that goes on', 'count = :n note'],
    ['a place in a list', 'history[0] = :n'],
  ])('refuses %s, which DynamoDB may know', async (_, ConditionExpression) => {
    const memory = { client: memoryTable().client, name: tableName }
    await expect(put(first, { ConditionExpression, ...valueN(1) })(memory)).rejects.toThrow()
  })
})
