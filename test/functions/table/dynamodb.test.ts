import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectDynamoDb, isBusy } from '../../../functions/table/dynamodb.ts'
import { capKey } from '../../../functions/table/keys.ts'
import { dynamoOrderWriter } from '../../../functions/table/orders/order-writer.ts'
import { saveSale } from '../../../functions/table/sale/sales.ts'
import { orderOf, step } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { ledgerOf } from '../../world/ledger.ts'
import { cancelled, named, scripted } from './scripted-table.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

function stubAccount(): void {
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
}

const aStep = step(orderOf(aSale(), 1), 'paid')

describe('a busy table', () => {
  it.each([
    ['another transaction', cancelled('None', 'TransactionConflict')],
    ['throttling inside a transaction', cancelled('ThrottlingError', 'None')],
    ['throttling', named('ThrottlingException')],
    ['too little capacity', named('ProvisionedThroughputExceededException')],
    ['a transaction under way', named('TransactionInProgressException')],
  ])('is recognised by %s: nothing was written, so the caller tries again', async (_name, error) => {
    expect(isBusy(error)).toBe(true)
    expect(await dynamoOrderWriter(scripted(error)).write([])).toEqual({ kind: 'busy' })
    expect(await ledgerOf(scripted(error)).change([aStep])).toEqual({ kind: 'busy' })
  })

  it.each([
    ['a condition', cancelled('ConditionalCheckFailed')],
    ['a fault of ours', cancelled('ValidationError')],
    ['a broken line', named('TimeoutError')],
  ])('is not recognised by %s', (_name, error) => {
    expect(isBusy(error)).toBe(false)
  })
})

describe('an unavailable table', () => {
  const answered = (status: number) =>
    new DynamoDBServiceException({ name: 'Answer', $fault: 'client', $metadata: { httpStatusCode: status } })
  const writeWith = (error: Error) => dynamoOrderWriter(scripted(error)).write([])

  it.each([
    ['an answer that does not come', named('TimeoutError')],
    ['a broken line', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ['a closed port', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
    ['a fault of the service', answered(500)],
  ])('is recognised by %s: the outcome is unknown, and the messages are redelivered (I5)', async (_name, error) => {
    expect(await writeWith(error)).toEqual({ kind: 'unavailable', cause: error })
    await expect(ledgerOf(scripted(error)).change([aStep])).rejects.toBe(error)
  })

  it.each([
    ['a request the table does not take', answered(400)],
    ['a value that the table cannot store', new TypeError('cannot be marshalled')],
    ['a fault of ours', Object.assign(new TypeError('not text'), { code: 'ERR_INVALID_ARG_TYPE' })],
  ])('is not recognised by %s, which is rethrown', async (_name, error) => {
    await expect(writeWith(error)).rejects.toBe(error)
  })

  it('that accepts requests and never answers times out early enough for the writer to report (I6)', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${address.port}`)
    stubAccount()
    const client = connectDynamoDb()
    const table = { client, name: 'sluice' }
    const [written, changed] = await Promise.all([
      dynamoOrderWriter(table).write([]),
      ledgerOf(table)
        .change([aStep])
        .catch((error) => error),
    ])
    expect(written).toMatchObject({ kind: 'unavailable' })
    expect(changed).toBeInstanceOf(Error)
    client.destroy()
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

it('a map with keys that people chose is stored as it is, also with one that every object has', async () => {
  stubAccount()
  const client = connectDynamoDb()
  let body = ''
  client.middlewareStack.add(
    () => async (args) => {
      body = String(Reflect.get(Object(args.request), 'body'))
      return { output: { $metadata: {} }, response: {} }
    },
    { step: 'build', priority: 'low' },
  )
  await client.send(
    new PutCommand({ TableName: 'sluice', Item: { left: { constructor: 3, toString: 2 }, gone: undefined } }),
  )
  expect(JSON.parse(body).Item).toEqual({ left: { M: { constructor: { N: '3' }, toString: { N: '2' } } } })
  client.destroy()
})

describe('a cap that writers hold', () => {
  const sale = aSale()
  const save = async (...answers: readonly Error[]) => {
    const parts = { Responses: { sluice: [{ ...capKey(sale.saleId), remaining: 1, sold: 0, orders: 0 }] } }
    const table = scripted(parts, ...answers, {})
    const saving = saveSale(table, 1, { sale, finishedStockChanges: [] }, { moved: { delta: 5 } })
    return { saved: await saving.catch((error) => error), tries: table.inputs.length }
  }
  const busy = cancelled('None', 'TransactionConflict')

  it('delays a restock without failing it (G7)', async () => {
    expect(await save(busy, busy, busy)).toEqual({ saved: 'saved', tries: 5 })
  })

  it('is not a conflict; only a different revision is', async () => {
    const moved = cancelled('ConditionalCheckFailed', 'TransactionConflict')
    expect(await save(busy, moved)).toEqual({ saved: 'conflict', tries: 4 })
  })

  it('is waited for only until the deadline', async () => {
    expect(await save(...Array(20).fill(busy))).toEqual({ saved: busy, tries: 9 })
  })
})
