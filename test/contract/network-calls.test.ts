/**
 * The requests that one order costs, cold and warm, tier by tier: the deployed handlers over a real Redis, DynamoDB, SQS
 * and S3, each behind a recorder of its requests.
 */
import { createServer } from 'node:http'
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import type { SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { buildSaleFilter } from '../../core/gate/sale-filter.ts'
import type { EdgeAnswer } from '../../edge/typed-funnel.ts'
import { auditOf } from '../../functions/sales/audit.ts'
import { addSale, findSale, saveSale } from '../../functions/table/sale/sales.ts'
import { startSecretsManager } from '../../local/aws/secrets-manager.ts'
import { type Listening, listen } from '../../local/listen.ts'
import { openOrigin } from '../../local/origin.ts'
import { urlEventOf } from '../../proof/simulation/parts/requests.ts'
import { reserveScript } from '../../redis/buy/reserve.ts'
import { gateFactsOf, setGate } from '../../redis/gate/gate.ts'
import { replenish } from '../../redis/gate/replenish.ts'
import { listSale, publishFilter } from '../../redis/gate/shared-lists.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { eventOf, filterKey, gateSettings, shopOrigin, tokenAt } from '../edge/support.ts'
import { aSale, useRestRig } from '../redis/support.ts'
import { startQueues, type TestQueues, useDynamoTable } from './cloud.ts'

const rig = useRestRig()
const tables = useDynamoTable()
const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
/** On a busy machine time would pass between two requests, and what memory has would be too old. */
const now = Date.now()
vi.useFakeTimers({ toFake: ['Date'], now })
const sale = aSale({ startsAt: now - 60_000, endsAt: now + 3_600_000, limitPerShopper: 1, maxPerOrder: 1 })

/** A request to a store; times are of the process's clock, ms. */
type Recorded = { store: string; startedAt: number; endedAt: number }

let requests: Recorded[] = []
const started: Listening[] = []
let queues: TestQueues
/** The recorder of each store. */
const at: Record<'gate' | 'stock' | 'queue' | 'table' | 'site' | 'secrets', string> = {
  ...{ gate: '', stock: '', queue: '', table: '', site: '', secrets: '' },
}

/** Passes requests on to `target`, and records each from its arrival to its answer. */
async function record(store: keyof typeof at, target: string): Promise<void> {
  const origin = openOrigin(target)
  const server = createServer(async (request, response) => {
    const startedAt = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '/', rawHeaders } = request
    const method = z.enum(['GET', 'POST', 'PUT']).parse(request.method)
    const headers = rawHeaders.filter(
      (_, at) => !/^(?:connection|content-length)$/i.test(rawHeaders[at - (at % 2)] ?? ''),
    )
    const body = chunks.length === 0 ? null : Buffer.concat(chunks)
    const answer = await origin.send({ method, path, headers, body })
    // An instance sends what it counted a second after the first of it, which only a slow run lives to see.
    if (!body?.includes(':demand"')) requests.push({ store, startedAt, endedAt: performance.now() })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  const listening = await listen(server, 0)
  started.push(listening, { ...listening, stop: () => origin.close() })
  at[store] = listening.url
}

beforeAll(async () => {
  // Handlers read their environment when they are imported, and the files of a worker share what is imported.
  vi.resetModules()
  queues = await startQueues()
  const secrets = new Map<string, string>()
  const secretsManager = await startSecretsManager(secrets)
  started.push(secretsManager)
  await record('gate', rig.url)
  await record('stock', rig.url)
  await record('queue', new URL(queues.queueUrl).origin)
  await record('site', new URL(queues.queueUrl).origin)
  await record('table', tables.endpoint)
  await record('secrets', secretsManager.url)
  const stockDatabases = [{ name: 'main', url: at.stock, token: rig.token, commandsPerSecond: 10_000 }]
  secrets.set('stock', JSON.stringify({ stockDatabases: JSON.stringify(stockDatabases) }))
  const environment = {
    ...credentials,
    ...{ STOCK_SECRET_ID: 'stock', AWS_ENDPOINT_URL_SECRETS_MANAGER: at.secrets },
    ...{ GATE_REDIS_REST_URL: at.gate, GATE_REDIS_REST_TOKEN: rig.token },
    ...{ TABLE_NAME: tables.table.name, AWS_ENDPOINT_URL_DYNAMODB: at.table },
    ...{ SITE_BUCKET: queues.bucket, AWS_ENDPOINT_URL_S3: at.site, AWS_ENDPOINT_URL_SQS: at.queue },
    ...{ ORDERS_QUEUE_URL: queues.queueUrl, ORDERS_DLQ_URL: queues.deadLettersUrl },
    ...{ DEADLINES_QUEUE_URL: queues.queueUrl, WAKE_QUEUE_URL: queues.queueUrl },
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const audit = auditOf({ who: 'mia', requestId: 'r', what: 'create', saleId: sale.saleId, when: now }, null, sale)
  await addSale(tables.table, sale, audit)
  const record_ = await findSale(tables.table, sale.saleId)
  await saveSale(
    tables.table,
    record_?.revision ?? 0,
    { sale, finishedStockChanges: [] },
    { cap: { stock: sale.stock } },
  )
  await warmStock(rig.redis, sale)
  await reserveScript.load(rig.redis)
  await setGate(rig.redis, gateFactsOf(sale, { frozen: false }))
  const truth = { asOf: now, total: sale.stock, booked: 0, stockRevision: 0, epoch: 1, ratio: 2, most: 100 }
  await replenish(rig.redis, sale.saleId, truth)
  const { listVersion } = await listSale(rig.redis, sale.saleId, true, now)
  await publishFilter(rig.redis, buildSaleFilter([sale.saleId], filterKey), listVersion, now)
})

afterAll(async () => {
  vi.resetModules()
  vi.useRealTimers()
  vi.unstubAllEnvs()
  for (const { stop } of started) await stop()
  await queues.stop()
})

/** Returns the requests meanwhile: the number for each store, and the longest chain of requests of which each waited for the one before. */
async function requestsOf(work: () => Promise<unknown>): Promise<{ calls: Record<string, number>; inSeries: number }> {
  requests = []
  await work()
  const calls: Record<string, number> = {}
  for (const { store } of requests) calls[store] = (calls[store] ?? 0) + 1
  let [inSeries, until] = [0, Number.NEGATIVE_INFINITY]
  for (const { startedAt, endedAt } of requests.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (startedAt < until) continue
    inSeries += 1
    until = endedAt
  }
  return { calls, inSeries }
}

const settings = () =>
  gateSettings({ gateUrl: at.gate, readerToken: rig.token, writerToken: rig.token, challengeCost: 1 })

/** A click of a shopper, as CloudFront brings it to the gate. */
async function clickOf(shopper: string) {
  return eventOf({
    ...{ method: 'POST', uri: `/api/sales/${sale.saleId}/orders`, settings: settings() },
    headers: {
      authorization: `Bearer ${await tokenAt(Date.now(), { claims: { sub: shopper } })}`,
      ...{ origin: shopOrigin, 'content-type': 'application/json', 'idempotency-key': `key-of-${shopper}` },
    },
    body: JSON.stringify({ quantity: 1, startToken: sale.startToken }),
  })
}

/** The request as the gate forwards it to the function. */
function forwarded(answer: EdgeAnswer) {
  if (!('uri' in answer)) throw new Error(`the gate answered ${answer.body}`)
  const { method, uri: path, headers, body } = answer
  return urlEventOf({
    ...{ method, path, query: new URLSearchParams() },
    headers: Object.fromEntries(Object.entries(headers).map(([name, [first]]) => [name, first?.value])),
    body: Buffer.from(body?.data ?? '', 'base64').toString(),
  })
}

async function receiveOrders(): Promise<SQSRecord[]> {
  const command = new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, MaxNumberOfMessages: 10 })
  const { Messages = [] } = await queues.sdk.send(command)
  return Messages.map(({ MessageId = '', ReceiptHandle = '', Body = '' }) => ({
    ...{ messageId: MessageId, receiptHandle: ReceiptHandle, body: Body, messageAttributes: {}, md5OfBody: '' },
    ...{ eventSource: 'aws:sqs', eventSourceARN: 'arn:aws:sqs:us-east-1:0:orders', awsRegion: 'us-east-1' },
    attributes: {
      ...{ ApproximateReceiveCount: '1', SentTimestamp: '0', SenderId: '' },
      ApproximateFirstReceiveTimestamp: '0',
    },
  }))
}

const context = { getRemainingTimeInMillis: () => 10_000 }

const first = (records: readonly SQSRecord[]) => ({ Records: records.slice(0, 1) })
const second = (records: readonly SQSRecord[]) => ({ Records: records.slice(1) })

it('an order waits for one script and one message behind the gate, cold and warm (S9, S11, N8)', async () => {
  const { handler: gate } = await import('../../edge/handler.ts')
  const passed: EdgeAnswer[] = []
  const click = async (shopper: string) => void passed.push(await gate(await clickOf(shopper)))
  // Facts and lists in one request, then the admission of a click that may win.
  expect(await requestsOf(() => click('ann'))).toEqual({ calls: { gate: 2 }, inSeries: 2 })
  expect(await requestsOf(() => click('bob'))).toEqual({ calls: { gate: 1 }, inSeries: 1 })

  const init = await requestsOf(() => import('../../functions/entries/reserve.handler.ts'))
  expect(init).toEqual({ calls: { gate: 2, secrets: 1 }, inSeries: 2 })
  const { handler: reserve } = await import('../../functions/entries/reserve.handler.ts')
  const order = { calls: { stock: 1, queue: 1 }, inSeries: 2 }
  for (const answer of passed) {
    const event = forwarded(answer)
    expect(await requestsOf(async () => expect(await reserve(event)).toMatchObject({ statusCode: 202 }))).toEqual(order)
  }

  const messages = await receiveOrders()
  const { handler: write } = await import('../../functions/entries/write-orders.handler.ts')
  const done = { batchItemFailures: [] }
  // Once for an environment: its offers, its databases, and the countdown in every language.
  await requestsOf(async () => expect(await write(first(messages), context)).toEqual(done))
  // Within a second of the first batch it would only ask whether more messages wait.
  vi.setSystemTime(now + 2000)
  const { calls } = await requestsOf(async () => expect(await write(second(messages), context)).toEqual(done))
  expect(calls).toEqual({ table: 3, queue: 1, gate: 1, stock: 3, site: 1 })
})
