/** Creates the table from the definition of a deployment, unless a kept one exists. */
import { isDeepStrictEqual } from 'node:util'
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndex,
  type GlobalSecondaryIndexDescription,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { mailStreamView } from '../../system/mail.ts'
import { tableDefinition } from '../../system/table.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

const stream = { StreamSpecification: { StreamEnabled: true, StreamViewType: mailStreamView } }

/** `streams`: the table has a stream, from which e-mails are sent. */
export type LocalTable = { endpoint: string; region: string; name: string; streams: boolean }

/**
 * Resolves when the table is ready.
 * @throws when the existing table was made by another version of this project
 */
export async function createTable({ endpoint, region, name, streams }: LocalTable): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region, credentials })
  try {
    await client.send(new CreateTableCommand({ ...tableDefinition, ...(streams && stream), TableName: name }))
  } catch (failure) {
    if (!(failure instanceof ResourceInUseException)) throw failure
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName: name })
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }))
  client.destroy()
  const kept = indexesOf(Table?.GlobalSecondaryIndexes ?? [])
  if (!isDeepStrictEqual(kept, indexesOf(tableDefinition.GlobalSecondaryIndexes))) {
    throw new Error(
      `The table ${name} in this data folder has other indexes than this version needs. Start on an empty data folder.`,
    )
  }
}

function indexesOf(indexes: readonly (GlobalSecondaryIndex | GlobalSecondaryIndexDescription)[]) {
  const known = indexes.map(({ IndexName, Projection }) => [
    IndexName,
    Projection?.ProjectionType,
    [...(Projection?.NonKeyAttributes ?? [])].sort(),
  ])
  return Object.fromEntries(known.map(([name, ...rest]) => [String(name), rest]))
}
