import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startDistantTable, trackOverlapping } from '../../../local/table/distant-table.ts'
import { startDynamoDb } from '../../../local/table/dynamodb.ts'
import { tableDefinition } from '../../../system/table.ts'
import { localAws } from '../aws-settings.ts'

describe('items of transactions under way', () => {
  it('belong to the first of two writing transactions, and the second conflicts in those alone', () => {
    const overlapping = trackOverlapping()
    const first = overlapping.beginWrite(['a', 'b'])
    expect(first.conflicts()).toEqual([false, false])
    expect(overlapping.beginWrite(['c', 'b']).conflicts()).toEqual([false, true])
  })

  it('are free again after the transaction', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a']).end()
    expect(overlapping.beginWrite(['a']).conflicts()).toEqual([false])
  })

  it('stay with the first when the second, which was cancelled, ends', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a'])
    overlapping.beginWrite(['a', 'b']).end()
    expect(overlapping.beginWrite(['a', 'b']).conflicts()).toEqual([true, false])
  })

  it('are occupied by a transaction that is cancelled, where it had no conflict', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a'])
    overlapping.beginWrite(['a', 'b'])
    expect(overlapping.beginWrite(['b']).conflicts()).toEqual([true])
  })

  it('cannot be written outside of their transaction', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a'])
    expect([overlapping.mayWrite('a'), overlapping.mayWrite('b')]).toEqual([false, true])
  })

  it('cancel a reading transaction that a write meets before or during it', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a'])
    const reading = overlapping.beginRead(['a', 'b', 'c', 'd'])
    overlapping.beginWrite(['b'])
    overlapping.mayWrite('c')
    expect(reading.conflicts()).toEqual([true, true, true, false])
  })

  it('may be read and written by others beside a reading transaction', () => {
    const overlapping = trackOverlapping()
    overlapping.beginRead(['a'])
    expect(overlapping.beginRead(['a']).conflicts()).toEqual([false])
    expect(overlapping.beginWrite(['a']).conflicts()).toEqual([false])
  })
})

describe('the DynamoDB that cancels overlapping transactions', async () => {
  const TableName = 'sales'
  let delay: () => Promise<unknown> = async () => {}
  const dynamoDb = await startDynamoDb({ env: {} })
  const distant = await startDistantTable({ target: dynamoDb, delay: () => delay() })
  const client = new DynamoDBClient({ ...localAws(distant.url), maxAttempts: 1 })
  await client.send(new CreateTableCommand({ TableName, ...tableDefinition }))
  afterAll(async () => {
    client.destroy()
    await distant.stop()
    await dynamoDb.stop()
  })
  beforeEach(() => {
    delay = async () => {}
  })

  /** Sends a request whose answer waits, and resolves once it has arrived. */
  async function under<T>(request: () => Promise<T>): Promise<{ finish: () => Promise<T> }> {
    const arrived = Promise.withResolvers<void>()
    const finished = Promise.withResolvers<void>()
    delay = () => {
      arrived.resolve()
      return finished.promise
    }
    const answer = request()
    // An answer that is refused may come before it is waited for.
    answer.catch(() => {})
    await arrived.promise
    delay = async () => {}
    return {
      finish: () => {
        finished.resolve()
        return answer
      },
    }
  }

  const keyOf = (name: string) => ({ pk: { S: name }, sk: { S: name } })
  const write = (...names: string[]) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: names.map((name) => ({
          Update: {
            TableName,
            Key: keyOf(name),
            UpdateExpression: 'ADD units :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        })),
      }),
    )
  const readTogether = (...names: string[]) =>
    client.send(
      new TransactGetItemsCommand({ TransactItems: names.map((name) => ({ Get: { TableName, Key: keyOf(name) } })) }),
    )
  const unitsOf = async (name: string) => {
    const get = new GetItemCommand({ TableName, Key: keyOf(name), ConsistentRead: true })
    return Number((await client.send(get)).Item?.units?.N ?? 0)
  }
  const cancelledAtSecond = {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
  }

  it('cancels the second of two transactions on one item, and names the item', async () => {
    const first = await under(() => write('both', 'mine'))
    await expect(write('other', 'both')).rejects.toMatchObject(cancelledAtSecond)
    await first.finish()
    expect([await unitsOf('both'), await unitsOf('mine'), await unitsOf('other')]).toEqual([1, 1, 0])
  })

  it('carries out transactions on other items at the same time, and on the same item later', async () => {
    const left = await under(() => write('left'))
    await write('right')
    await left.finish()
    await write('left', 'right')
    expect([await unitsOf('left'), await unitsOf('right')]).toEqual([2, 2])
  })

  it('refuses a single write to an item of a transaction under way', async () => {
    const transaction = await under(() => write('single'))
    const put = new PutItemCommand({ TableName, Item: keyOf('single') })
    await expect(client.send(put)).rejects.toMatchObject({ name: 'TransactionConflictException' })
    await transaction.finish()
    expect(await unitsOf('single')).toBe(1)
    await client.send(put)
  })

  it('cancels a reading transaction beside a write, and no read of a single item', async () => {
    const transaction = await under(() => write('read'))
    await expect(readTogether('calm', 'read')).rejects.toMatchObject(cancelledAtSecond)
    await unitsOf('read')
    await transaction.finish()
    expect((await readTogether('calm', 'read')).Responses?.[1]?.Item?.units).toEqual({ N: '1' })
  })

  it('cancels a reading transaction when an item is written meanwhile', async () => {
    const reading = await under(() => readTogether('calm', 'changing'))
    await write('changing')
    await expect(reading.finish()).rejects.toMatchObject(cancelledAtSecond)
  })

  it('passes on the refusals of the DynamoDB behind it', async () => {
    const once = { TableName, Item: keyOf('once'), ConditionExpression: 'attribute_not_exists(pk)' }
    const put = () => client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: once }] }))
    await put()
    await expect(put()).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    })
  })
})
