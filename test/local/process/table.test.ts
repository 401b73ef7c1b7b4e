import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it } from 'vitest'
import { openTableStream } from '../../../local/lambda/stream-source.ts'
import { createTable, type RunningDynamoDb, startDynamoDb } from '../../../local/table/dynamodb.ts'
import { tableDefinition } from '../../../system/table.ts'
import { localAws } from '../aws-settings.ts'

const kept = ({ endpoint }: RunningDynamoDb, streams = false) => {
  return { endpoint, region: 'us-east-1', name: 'kept', streams }
}

let dynamoDb: RunningDynamoDb | undefined
afterEach(async () => {
  await dynamoDb?.stop()
})

describe('the table', () => {
  it('is created once, and found again unchanged', async () => {
    dynamoDb = await startDynamoDb()
    await createTable(kept(dynamoDb))
    await createTable(kept(dynamoDb))
  })

  it('gets a stream where emails are switched on', async () => {
    dynamoDb = await startDynamoDb()
    await createTable(kept(dynamoDb))
    const without = openTableStream(dynamoDb.endpoint, 'kept')
    await expect(without.oldestPlace()).rejects.toThrow('The table kept has no stream.')
    await without.close()
    const stream = openTableStream(dynamoDb.endpoint, 'streamed')
    for (const _ of [1, 2]) await createTable({ ...kept(dynamoDb, true), name: 'streamed' })
    expect(await stream.read(await stream.oldestPlace(), 10)).toMatchObject({ records: [] })
    await stream.close()
  })

  it('of another version is refused with a remedy, before anything is sold from it', async () => {
    dynamoDb = await startDynamoDb()
    const client = new DynamoDBClient(localAws(dynamoDb.endpoint))
    await client.send(
      new CreateTableCommand({
        ...tableDefinition,
        TableName: 'kept',
        GlobalSecondaryIndexes: tableDefinition.GlobalSecondaryIndexes.map((index) => ({
          ...index,
          Projection: { ProjectionType: 'ALL' },
        })),
      }),
    )
    client.destroy()
    await expect(createTable(kept(dynamoDb))).rejects.toThrow(/empty data folder/)
  })
})
