/**
 * `GET /local/health`: checks whether each part answers, and returns its address, for tests and tools that access parts
 * directly.
 */
import * as z from 'zod/mini'
import type { QueueName } from '../system/queues.ts'
import type { EdgeTimes } from './cdn/edge-times.ts'
import type { CloudAddresses } from './process/messages.ts'
import type { Host } from './process/rpc.ts'
import { resources } from './resources.ts'

type DatabaseHealth = { ok: boolean; name: string; port: number; restUrl: string; restToken: string }

/** Addresses of a queue and of its dead-letter queue. */
type QueueWithDlq = { queue: string; deadLetters: string }

type HealthParts = {
  /** The functions at the edge run in the front's process. */
  front: { ok: boolean; url: string; edge: EdgeTimes }
  /** Invocations since the start, by function. */
  functions: { ok: boolean; invocations: Record<string, number> }
  /** The first database, which is the gate's store too; `ok` when every database answers. */
  redis: DatabaseHealth & { version: string; kind: string; databases: DatabaseHealth[] }
  dynamodb: { ok: boolean; endpoint: string; tables: string[] }
  sqs: { ok: boolean; endpoint: string; queues: Record<QueueName, QueueWithDlq> }
  s3: { ok: boolean; endpoint: string; bucket: string }
}

/**
 * Addresses bypass the fault proxies, so that an observer is not affected by the fault it studies.
 */
export type StackHealth = { ok: boolean; parts: HealthParts }

export type HealthSources = {
  url: string
  edge: EdgeTimes
  functions: readonly Host[]
  redis: { version: string; kind: string }
  dynamoDbEndpoint: string
  cloud: CloudAddresses
}

/** A part that has ended refuses at once; a busy machine answers late. */
const patienceMs = 5000

/** Checks all parts in parallel, each for at most five seconds. */
export async function checkHealth(sources: HealthSources): Promise<StackHealth> {
  const { cloud, redis, dynamoDbEndpoint } = sources
  const ask = (url: string, init: RequestInit = {}) =>
    answers(fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) }).then((r) => r.status < 500))
  const askDatabase = async ({ name, port, directUrl, token }: CloudAddresses['databases'][number]) => {
    const headers = { authorization: `Bearer ${token}` }
    const ok = await ask(directUrl, { method: 'POST', headers, body: '["PING"]' })
    return { ok, name, port, restUrl: directUrl, restToken: token }
  }
  const [main, ...more] = cloud.databases
  const [invocations, first, others, dynamoOk, sqsOk, s3Ok] = await Promise.all([
    withinPatience(countInvocations(sources.functions)),
    askDatabase(main),
    Promise.all(more.map(askDatabase)),
    ask(dynamoDbEndpoint),
    ask(`${cloud.aws}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' },
      body: '{}',
    }),
    ask(`${cloud.aws}/${resources.bucket}?list-type=2&max-keys=1`),
  ])
  const databases = [first, ...others]
  const parts: HealthParts = {
    front: { ok: true, url: sources.url, edge: sources.edge },
    functions: { ok: invocations !== undefined, invocations: invocations ?? {} },
    redis: { ...first, ...redis, ok: databases.every(({ ok }) => ok), databases },
    dynamodb: { ok: dynamoOk, endpoint: dynamoDbEndpoint, tables: [resources.table] },
    sqs: {
      ok: sqsOk,
      endpoint: cloud.aws,
      queues: {
        orders: urlsOf(cloud.queues.orders),
        deadlines: urlsOf(cloud.queues.deadlines),
      },
    },
    s3: { ok: s3Ok, endpoint: cloud.aws, bucket: resources.bucket },
  }
  return { ok: Object.values(parts).every(({ ok }) => ok), parts }
}

function urlsOf({ queue, deadLetters }: CloudAddresses['queues'][QueueName]): QueueWithDlq {
  return { queue: queue.directUrl, deadLetters: deadLetters.directUrl }
}

async function countInvocations(hosts: readonly Host[]): Promise<Record<string, number>> {
  const counts = hosts.map((host) => host.call('countInvocations', null, z.record(z.string(), z.number())))
  return Object.assign({}, ...(await Promise.all(counts)))
}

async function answers(question: Promise<boolean>): Promise<boolean> {
  return (await withinPatience(question)) ?? false
}

async function withinPatience<T>(question: Promise<T>): Promise<T | undefined> {
  const patience = new Promise<undefined>((resolve) => {
    setTimeout(resolve, patienceMs, undefined).unref()
  })
  return Promise.race([question.catch(() => undefined), patience])
}
