import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
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
})

describe('a dark table', () => {
  const answered = (status: number) =>
    new DynamoDBServiceException({
      name: 'Answer',
      $fault: 'client',
      $metadata: { httpStatusCode: status },
    })
  const writeWith = (error: Error) => {
    const client = connectDynamoDb()
    client.send = () => Promise.reject(error)
    return dynamoOrderBook({ client, name: 'sluice' }).write([])
  }

  it.each([
    ['an answer that does not come', named('TimeoutError')],
    ['a broken line', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ['a closed port', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
    ['a fault of the service', answered(500)],
  ])('is told by %s: the outcome is unknown, and the messages come again (I5)', async (_name, error) => {
    expect(await writeWith(error)).toEqual({ kind: 'dark', cause: error })
  })

  it.each([
    ['a request the table does not take', answered(400)],
    ['a value that is none of the table’s', new TypeError('cannot be marshalled')],
    ['a fault of ours', Object.assign(new TypeError('not text'), { code: 'ERR_INVALID_ARG_TYPE' })],
  ])('is not told by %s, which is thrown', async (_name, error) => {
    await expect(writeWith(error)).rejects.toBe(error)
  })
})
