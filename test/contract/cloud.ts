/** A DynamoDB, SQS and S3 for one file, reached as the functions reach them. */
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { S3Client } from '@aws-sdk/client-s3'
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll } from 'vitest'
import { connectS3 } from '../../functions/entries/adapters/site.s3.ts'
import { connectSqs, type Sqs } from '../../functions/entries/adapters/sqs.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { startAws } from '../../local/aws/aws.ts'
import { startDynamoDb } from '../../local/table/dynamodb.ts'
import { memoryTable, tableName } from '../../proof/simulation/dynamodb/memory-table.ts'
import { tableDefinition } from '../../system/table.ts'

const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }

/** How long a test waits for one call. */
const patienceMs = 60_000

export type TestTable = { table: Table; stop: () => Promise<void> }

/**
 * `npm test` plays the stores over the table in memory alone, which `memory-table.test.ts` compares with DynamoDB;
 * `npm run test:all`, and a file that is named, over both.
 */
const isMemoryEnough = process.env.SLUICE_TABLES === 'memory'

/** An empty table in DynamoDB. The endpoint is set in this process's environment, where the SDK looks for it. */
async function startDynamoTable(): Promise<TestTable & { endpoint: string }> {
  const dynamoDb = await startDynamoDb()
  Object.assign(process.env, credentials, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint })
  // Like the functions' client, with longer timeouts: a megabyte takes longer on a busy machine.
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: { requestTimeout: patienceMs } }), {
    marshallOptions: { removeUndefinedValues: true },
  })
  await client.send(new CreateTableCommand({ TableName: 'sluice-test', ...tableDefinition }))
  return {
    table: { client, name: 'sluice-test', writeTimeoutMs: patienceMs },
    endpoint: dynamoDb.endpoint,
    async stop() {
      client.destroy()
      await dynamoDb.stop()
    },
  }
}

/** A table in memory behind the same client. */
async function startMemoryTable(): Promise<TestTable> {
  return { table: { client: memoryTable().client, name: tableName }, stop: async () => {} }
}

/** An empty table, where one is enough. */
export const startTable: () => Promise<TestTable> = isMemoryEnough ? startMemoryTable : startDynamoTable

/** A rig over each table, by the table's name, for `describeEach`. */
export function rigsOf<Rig>(rigOf: (table: TestTable) => Rig): Readonly<Record<string, () => Promise<Rig>>> {
  const inMemory = { memory: async () => rigOf(await startMemoryTable()) }
  return isMemoryEnough ? inMemory : { ...inMemory, DynamoDB: async () => rigOf(await startDynamoTable()) }
}

/** A table for the tests of one file. */
export function useTable(): Pick<TestTable, 'table'> {
  return useStarted(startTable)
}

/** Runs in DynamoDB itself. */
export function useDynamoTable(): { table: Table; endpoint: string } {
  return useStarted(startDynamoTable)
}

function useStarted<Started extends TestTable>(start: () => Promise<Started>): Started {
  let running: Started | undefined
  beforeAll(async () => {
    running = await start()
  })
  afterAll(() => running?.stop())
  return new Proxy({} as Started, {
    get(_, name) {
      if (running === undefined) throw new Error('the table is there while the tests run, not before')
      return running[name as keyof Started]
    },
  })
}

export type TestQueues = {
  /** The functions' way to the queues, with a minute for a call: a busy machine would miss their deadline. */
  sqs: Sqs
  /** The functions' way to the same queues at `endpoint`, with their deadline. */
  sqsAt: (endpoint: string) => Sqs
  sdk: SQSClient
  s3: S3Client
  queueUrl: string
  deadLettersUrl: string
  bucket: string
  stop: () => Promise<void>
}

/** Empty queues and an empty bucket. */
export async function startQueues(): Promise<TestQueues> {
  const aws = await startAws()
  Object.assign(process.env, credentials, { AWS_ENDPOINT_URL_S3: aws.endpoint })
  const pair = await aws.createQueuePair('orders', { visibilitySeconds: 30, maxReceives: 3 })
  aws.createBucket('site')
  const access = (endpoint: string) => ({ ...credentials, AWS_ENDPOINT_URL_SQS: endpoint })
  const sdk = new SQSClient({ endpoint: aws.endpoint })
  const s3 = connectS3()
  return {
    sqs: connectSqs(access(aws.endpoint), 60_000),
    sqsAt: (endpoint) => connectSqs(access(endpoint)),
    sdk,
    s3,
    queueUrl: pair.queue.url,
    deadLettersUrl: pair.deadLetters.url,
    bucket: 'site',
    async stop() {
      sdk.destroy()
      s3.destroy()
      await aws.stop()
    },
  }
}

/** The bodies of all messages in a queue; they stay hidden afterwards. */
export async function receiveAll({ sdk, queueUrl }: Pick<TestQueues, 'sdk' | 'queueUrl'>): Promise<string[]> {
  const bodies: string[] = []
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 })
    const { Messages = [] } = await sdk.send(receive)
    if (Messages.length === 0) return bodies
    bodies.push(...Messages.map(({ Body = '' }) => Body))
  }
}
