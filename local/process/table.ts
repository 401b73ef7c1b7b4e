/** Creates the table from the definition that a deployment uses, unless a kept one is there. */
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { tableDefinition } from '../../functions/adapters/table.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Resolves when `name` can be used. */
export async function createTable(endpoint: string, region: string, name: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region, credentials })
  try {
    await client.send(new CreateTableCommand({ ...tableDefinition, TableName: name }))
  } catch (failure) {
    if (!(failure instanceof ResourceInUseException)) throw failure
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName: name })
  client.destroy()
}
