import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningDynamoDb, startDynamoDb } from '../../local/dynamodb.ts'
import { createTable } from '../../local/process/table.ts'
import { tableDefinition } from '../../system/table.ts'

let dynamoDb: RunningDynamoDb | undefined
afterEach(async () => {
  await dynamoDb?.stop()
})

describe('the table', () => {
  it('is created once, and found again unchanged', async () => {
    dynamoDb = await startDynamoDb()
    await createTable(dynamoDb.endpoint, 'us-east-1', 'kept')
    await createTable(dynamoDb.endpoint, 'us-east-1', 'kept')
  })

  it('of another version is refused with a remedy, before anything is sold from it', async () => {
    dynamoDb = await startDynamoDb()
    const [list] = tableDefinition.GlobalSecondaryIndexes
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
    const client = new DynamoDBClient({ endpoint: dynamoDb.endpoint, region: 'us-east-1', credentials })
    await client.send(
      new CreateTableCommand({
        ...tableDefinition,
        TableName: 'kept',
        GlobalSecondaryIndexes:
          list === undefined ? [] : [{ ...list, Projection: { ProjectionType: 'ALL' } }],
      }),
    )
    client.destroy()
    await expect(createTable(dynamoDb.endpoint, 'us-east-1', 'kept')).rejects.toThrow(/empty data folder/)
  })
})
