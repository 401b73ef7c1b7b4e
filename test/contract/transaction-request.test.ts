/** Transactions whose body we write ourselves, against what DynamoDB reads out of it. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transact, transactOnce } from '../../functions/table/transaction.ts'
import { useDynamoTable } from './cloud.ts'

const dynamoDb = useDynamoTable()

const key = { pk: 'TEST', sk: 'ONE' }

const put = (item: Record<string, unknown>) => ({ Put: { TableName: dynamoDb.table.name, Item: { ...key, ...item } } })

async function stored(): Promise<Record<string, unknown> | undefined> {
  const { client, name } = dynamoDb.table
  const { Item } = await client.send(new GetCommand({ TableName: name, Key: key, ConsistentRead: true }))
  return Item
}

const text = fc.string({ unit: 'grapheme', minLength: 1 })
// No field of ours has this name, and the SDK's reader, which assigns what it reads, loses it.
const fieldName = text.filter((name) => name !== '__proto__')
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.maxSafeInteger(),
    fc.integer().map((number) => number / 1000),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fieldName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

describe('a transaction', () => {
  it('writes every kind of value that the table has', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (one) => {
        expect(await transact(dynamoDb.table, [put({ one })])).toBe('written')
        expect(await stored()).toEqual({ ...key, one })
      }),
      { numRuns: 60 },
    )
  })

  it('leaves out what is undefined', async () => {
    await transactOnce(dynamoDb.table, [put({ here: { yes: 1, no: undefined }, gone: undefined })])
    expect(await stored()).toEqual({ ...key, here: { yes: 1 } })
  })

  it.each([
    ['a number without an end', Number.POSITIVE_INFINITY],
    ['a number that is not exact', 2 ** 53],
    ['a date', new Date(0)],
    ['a function', () => 1],
  ])('is refused before it is sent for %s', async (_what, one) => {
    await transactOnce(dynamoDb.table, [put({ before: 1 })])
    await expect(transactOnce(dynamoDb.table, [put({ one })])).rejects.toThrow(TypeError)
    expect(await stored()).toEqual({ ...key, before: 1 })
  })

  it('has the values of keys, conditions and changes', async () => {
    await transactOnce(dynamoDb.table, [put({ left: 5, words: ['a'] })])
    const update = (least: number) => ({
      Update: {
        TableName: dynamoDb.table.name,
        Key: key,
        UpdateExpression: 'SET words = :words ADD #left :less',
        ConditionExpression: '#left >= :least',
        ExpressionAttributeNames: { '#left': 'left' },
        ExpressionAttributeValues: { ':words': ['b', { c: true }], ':less': -2, ':least': least },
      },
    })
    expect(await transact(dynamoDb.table, [update(6)])).toBe('refused')
    expect(await transact(dynamoDb.table, [update(5)])).toBe('written')
    expect(await stored()).toEqual({ ...key, left: 3, words: ['b', { c: true }] })
    const { name: TableName } = dynamoDb.table
    await transact(dynamoDb.table, [{ Delete: { TableName, Key: key } }])
    expect(await stored()).toBeUndefined()
  })
})
