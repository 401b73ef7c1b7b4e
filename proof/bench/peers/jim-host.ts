/**
 * Runs github.com/jimzandueta/flash-sale-demo: its API and worker in separate processes, as in its
 * `docker-compose.yml`, over a Redis without persistence and the local emulators of SQS and DynamoDB. This process runs
 * SQS.
 */
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { type Aws, region, startAws } from '../../../local/aws/aws.ts'
import { startRedis } from '../../../local/redis/redis-server.ts'
import { startDynamoDb } from '../../../local/table/dynamodb.ts'
import { openLink } from '../../../local/upstash/link.ts'
import { servePeer, startPeerServer, startPeerWorker } from './serve-peer.ts'

/** Its API sells this sale for 50 minutes from its start. */
const saleId = 'sale_sneaker_001'

const queues = ['reservation', 'purchase', 'expiry']
const table = 'orders-of-the-bench'
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

const parts = {
  own: 'SQS',
  others: [
    ['API', /^\S*node\b.*run-local-api/],
    ['worker', /^\S*node\b.*run-local-worker/],
    ['DynamoDB', /dynoxide/],
    ['Redis', /redis-server/],
  ],
} as const

servePeer({ parts, programs: ['API', 'worker'] }, async (context) => {
  const { folder, stopLater } = context
  const redis = stopLater(await startRedis())
  const dynamoDb = stopLater(await startDynamoDb({ env: { ...process.env, DYNAMODB_ENDPOINT: '' } }))
  const aws = stopLater(await startAws())
  const urls = await Promise.all(queues.map(async (name) => (await aws.createQueue(`dev-${name}-events`)).url))
  const [reservations = '', purchases = '', expiries = ''] = urls
  const env = {
    REDIS_URL: `redis://${redis.host}:${redis.port}`,
    ...{ SQS_ENDPOINT: aws.endpoint, DYNAMO_ENDPOINT: dynamoDb.endpoint, RESERVATIONS_TABLE: table },
    ...{ RESERVATION_EVENTS_QUEUE_URL: reservations, PURCHASE_EVENTS_QUEUE_URL: purchases },
    ...{ EXPIRY_EVENTS_QUEUE_URL: expiries, DEFAULT_RESERVATION_TTL_SECONDS: '3600' },
    ...{ AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    ...{ AWS_REGION: region, HOST: '127.0.0.1', NODE_ENV: 'production' },
    // By default it polls every five seconds and waits five seconds.
    ...{ LOCAL_WORKER_MODE: 'heartbeat', WORKER_HEARTBEAT_INTERVAL_MS: '30', WORKER_POLL_WAIT_SECONDS: '0' },
  }
  const program = (name: string) => {
    const file = `${folder}/services/docker/run-local-${name}.ts`
    return { name, cwd: folder, args: ['--import', 'tsx', file], env }
  }
  const { port } = await startPeerServer(context, program('api'))
  startPeerWorker(context, program('worker'))
  const link = openLink(redis)
  const client = new DynamoDBClient({ endpoint: dynamoDb.endpoint, region, credentials })
  const count = () => countItems(client)
  let [before, offered] = [0, 0]
  return {
    port,
    async empty() {
      for (const QueueUrl of urls) await callSqs(aws, 'PurgeQueue', { QueueUrl })
      await link.send([['FLUSHALL']])
      before = await count()
    },
    async offer(stock) {
      await link.send([['SET', `sale:${saleId}:stock`, String(stock)]])
      offered = stock
    },
    async orders() {
      // A query of the queue is cheaper than one of the table.
      const [left, lastAt] = [await countMessages(aws, reservations), Date.now()]
      if (left > 0) return { seen: offered - left, lastAt }
      return { seen: (await count()) - before, lastAt }
    },
  }
})

async function countItems(client: DynamoDBClient): Promise<number> {
  let items = 0
  for await (const { Count = 0 } of paginateScan({ client }, { TableName: table, Select: 'COUNT' })) items += Count
  return items
}

/** Counts messages that are visible or in flight. */
async function countMessages(aws: Aws, QueueUrl: string): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible']
  const { Attributes = {} } = await callSqs(aws, 'GetQueueAttributes', { QueueUrl, AttributeNames })
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name]), 0)
}

type SqsAnswer = { Attributes?: Record<string, string> }

async function callSqs({ endpoint }: Aws, operation: string, input: object): Promise<SqsAnswer> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` },
    body: JSON.stringify(input),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${operation} was answered ${response.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
