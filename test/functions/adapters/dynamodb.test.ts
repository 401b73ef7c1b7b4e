import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { connectDynamoDb, isBusy } from '../../../functions/adapters/dynamodb.ts'
import { dynamoOrderBook } from '../../../functions/adapters/order-book.dynamodb.ts'

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  })

const named = (name: string) => Object.assign(new Error(name), { name })

describe('a busy table', () => {
  it.each([
    ['another transaction', cancelled('None', 'TransactionConflict')],
    ['throttling inside a transaction', cancelled('ThrottlingError', 'None')],
    ['throttling', named('ThrottlingException')],
    ['too little capacity', named('ProvisionedThroughputExceededException')],
    ['a transaction under way', named('TransactionInProgressException')],
  ])('is told by %s, and means: nothing was written, try again', async (_name, error) => {
    expect(isBusy(error)).toBe(true)
    const client = connectDynamoDb()
    client.send = () => Promise.reject(error)
    expect(await dynamoOrderBook({ client, name: 'sluice' }).write([])).toEqual({ kind: 'busy' })
  })

  it.each([
    ['a condition', cancelled('ConditionalCheckFailed')],
    ['a fault of ours', cancelled('ValidationError')],
    ['a broken line', named('TimeoutError')],
  ])('is not told by %s', (_name, error) => {
    expect(isBusy(error)).toBe(false)
  })

  it('is not seen in an error that leaves the outcome unknown: it is thrown, and the messages come again (I5)', async () => {
    const client = connectDynamoDb()
    client.send = () => Promise.reject(named('TimeoutError'))
    await expect(dynamoOrderBook({ client, name: 'sluice' }).write([])).rejects.toThrow('TimeoutError')
  })
})
