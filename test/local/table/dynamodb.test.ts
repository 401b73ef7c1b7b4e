import { getPriority } from 'node:os'
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { backgroundNiceness } from '../../../local/background.ts'
import { acceptsConnections, freePort } from '../../../local/ports.ts'
import { startDynamoDb } from '../../../local/table/dynamodb.ts'
import { newFolder } from '../../folders.ts'
import { localAws } from '../aws-settings.ts'
import { processesBelow } from '../npm-start.ts'

const createOrders = () =>
  new CreateTableCommand({
    ...{ TableName: 'orders', BillingMode: 'PAY_PER_REQUEST' },
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  })

describe('the local DynamoDB', () => {
  it('accepts requests as soon as it is started, and none once it is stopped', async () => {
    const dynamoDb = await startDynamoDb({ env: {} })
    const client = new DynamoDBClient(localAws(dynamoDb.endpoint))
    await client.send(createOrders())
    client.destroy()
    await dynamoDb.stop()
    expect(await acceptsConnections(dynamoDb.port)).toBe(false)
  })

  it('yields to other processes only when asked to', async () => {
    const nicenessOf = async (options: { lowerPriority?: boolean }) => {
      const dynamoDb = await startDynamoDb({ env: {}, ...options })
      const programs = processesBelow(process.pid).filter(({ command }) => /^\S*dynoxide /.test(command))
      const own = programs.filter(({ command }) => command.includes(`--port ${dynamoDb.port}`))
      const niceness = own.map(({ pid }) => getPriority(pid) - getPriority())
      await dynamoDb.stop()
      return niceness
    }
    expect(await nicenessOf({})).toEqual([0])
    expect(await nicenessOf({ lowerPriority: true })).toEqual([backgroundNiceness])
  })

  it('keeps its tables in the data folder', async () => {
    const dataDir = newFolder('dynamodb')
    const before = await startDynamoDb({ dataDir, env: {} })
    const first = new DynamoDBClient(localAws(before.endpoint))
    await first.send(createOrders())
    await first.send(new PutItemCommand({ TableName: 'orders', Item: { pk: { S: 'kept' } } }))
    first.destroy()
    await before.stop()

    const after = await startDynamoDb({ dataDir, env: {} })
    const second = new DynamoDBClient(localAws(after.endpoint))
    const read = await second.send(
      new GetItemCommand({ TableName: 'orders', Key: { pk: { S: 'kept' } }, ConsistentRead: true }),
    )
    expect(read.Item).toEqual({ pk: { S: 'kept' } })
    second.destroy()
    await after.stop()
  })

  it('is the one DYNAMODB_ENDPOINT names, which is not stopped', async () => {
    const own = await startDynamoDb({ env: {} })
    const named = await startDynamoDb({ env: { DYNAMODB_ENDPOINT: own.endpoint } })
    expect(named).toMatchObject({ endpoint: own.endpoint, port: own.port, kind: 'existing' })
    await named.stop()
    expect(await acceptsConnections(own.port)).toBe(true)
    await own.stop()
  })

  it('reports a DYNAMODB_ENDPOINT without a server', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    await expect(startDynamoDb({ env: { DYNAMODB_ENDPOINT: endpoint } })).rejects.toThrow(
      `DYNAMODB_ENDPOINT names ${endpoint}, where nothing answers.`,
    )
    await expect(startDynamoDb({ env: { DYNAMODB_ENDPOINT: 'localhost' } })).rejects.toThrow('must look like')
  })

  it('names a remedy on a machine without a program for it', async () => {
    const { platform } = process
    Object.defineProperty(process, 'platform', { value: 'plan9' })
    try {
      await expect(startDynamoDb({ env: {} })).rejects.toThrow(/plan9.*set DYNAMODB_ENDPOINT/)
    } finally {
      Object.defineProperty(process, 'platform', { value: platform })
    }
  })

  it('names a port that is taken', async () => {
    const one = await startDynamoDb({ env: {} })
    await expect(startDynamoDb({ env: {}, port: one.port })).rejects.toThrow(`Port ${one.port} is in use`)
    await one.stop()
  })
})
