/**
 * Runs DynamoDB on this machine: dynoxide, a small program from npm with transactions, indexes and limits. Creates the
 * table of a deployment in it.
 */
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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
import { backgroundNiceness } from '../background.ts'
import { reasonOf } from '../child.ts'
import { startListeningChild } from '../listening-child.ts'
import { acceptsConnections, loopback } from '../ports.ts'
import type { StartAgain } from '../restarts.ts'

export type RunningDynamoDb = {
  endpoint: string
  host: string
  port: number
  /** `existing` when DYNAMODB_ENDPOINT names a running one, which is not stopped. */
  kind: 'dynoxide' | 'existing'
  stop(): Promise<void>
}

export type DynamoDbOptions = {
  /** Stores the tables in a file in this folder; without it the data ends with the program. */
  dataDir?: string
  /** 0, the default, takes a free port. */
  port?: number
  /** The source of DYNAMODB_ENDPOINT. Default: this process's environment. */
  env?: NodeJS.ProcessEnv
  /** Runs it with the niceness of the workers. Default false. */
  lowerPriority?: boolean
  /** Called if the program ends by itself; `again` restarts it when it has a data folder. */
  ended?: (why: string, again: StartAgain | null) => void
}

/**
 * Starts DynamoDB, or uses the one of DYNAMODB_ENDPOINT; resolves once it accepts connections.
 * @throws PortTaken, or an error with the reason and a remedy
 */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<RunningDynamoDb> {
  const { dataDir, port = 0, env = process.env, lowerPriority = false, ended } = options
  if (env.DYNAMODB_ENDPOINT) return existing(env.DYNAMODB_ENDPOINT)

  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
  const storage = dataDir === undefined ? [] : ['--db-path', join(dataDir, 'dynamodb.sqlite')]
  const startAt = (port: number) =>
    startListeningChild({
      name: 'DynamoDB',
      command: findProgram(),
      args: (chosen) => ['--host', loopback, '--port', String(chosen), ...storage],
      env,
      // No shopper waits for the table.
      niceness: lowerPriority ? backgroundNiceness : 0,
      port,
      onExit: (exit) => ended?.(reasonOf(exit), dataDir === undefined ? null : again),
    })
  let child = await startAt(port)
  const again = async () => {
    child = await startAt(child.port)
    return 'with all tables. Orders that could not be written meanwhile are written within a minute.'
  }
  const endpoint = `http://${loopback}:${child.port}`
  return { endpoint, host: loopback, port: child.port, kind: 'dynoxide', stop: () => child.stop() }
}

function findProgram(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`)
    return join(dirname(manifest), 'dynoxide')
  } catch (cause) {
    throw new Error(
      `There is no DynamoDB for ${platform} among the installed packages. Install @dynoxide/${platform} if it ` +
        'exists for your machine, or run any DynamoDB with transactions yourself and set ' +
        'DYNAMODB_ENDPOINT=http://host:port.',
      { cause },
    )
  }
}

async function existing(address: string): Promise<RunningDynamoDb> {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error('DYNAMODB_ENDPOINT must look like http://host:port.')
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (!(await acceptsConnections(port, url.hostname))) {
    throw new Error(`DYNAMODB_ENDPOINT names ${url.origin}, where nothing answers.`)
  }
  return { endpoint: url.origin, host: url.hostname, port, kind: 'existing', stop: async () => {} }
}

/** The credentials of the local AWS account. */
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

const stream = { StreamSpecification: { StreamEnabled: true, StreamViewType: mailStreamView } }

/** `streams` gives the table a stream, from which emails are sent. */
type LocalTable = { endpoint: string; region: string; name: string; streams: boolean }

/**
 * Creates the table of a deployment unless it exists; resolves when it is ready.
 * @throws when the existing table has other indexes, from another version of this project
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
