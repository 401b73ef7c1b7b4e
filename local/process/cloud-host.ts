/**
 * The process of the managed services: an Upstash API for each database, SQS and S3, and, on request, a fault proxy in
 * front of each service that functions call. It is separate, so that front and services can use several cores.
 */

import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import * as z from 'zod/mini'
import { slicesOf } from '../../core/lib/slices.ts'
import {
  maxReceives,
  type QueueName,
  type WakingQueueName,
  wakingQueueNames,
  wakingQueues,
} from '../../system/queues.ts'
import { gateRights, readerRights, writerRights } from '../../system/redis-rights.ts'
import { cacheControlOf, isHashed } from '../../system/site-objects.ts'
import { type Aws, type LocalQueue, queueUrl, region, startAws } from '../aws/aws.ts'
import { startFaultProxy } from '../faults/fault-proxy.ts'
import {
  connectionFaultOf,
  type Fault,
  type FaultTarget,
  type FaultyConnection,
  faultRequest,
  type MainProcessTarget,
} from '../faults/faults.ts'
import type { Listening } from '../listen.ts'
import { loopback, portOf } from '../ports.ts'
import { resources } from '../resources.ts'
import { createTable } from '../table/dynamodb.ts'
import type { Token } from '../upstash/access.ts'
import { startUpstashProxy } from '../upstash/proxy.ts'
import { type CloudAddresses, type CloudSettings, cloudSettings } from './messages.ts'
import { serveParent } from './rpc.ts'

type Upstash = { name: string; port: number; token: string; proxy: Listening }

type Parts = { upstash: readonly Upstash[]; aws: Aws; faults: Faults | undefined }

/** `redis` has a connection for each database by name; the first database comes first. */
type Faults = Record<Called, FaultyConnection> & { redis: ReadonlyMap<string, FaultyConnection> }
type Called = Exclude<FaultTarget, MainProcessTarget | 'origin' | 'redis'>

let parts: Parts | undefined

/** Starts an Upstash API for each database; the first one is also the gate's store, with its tokens. */
function startUpstash({ databases, before, ...settings }: CloudSettings): Promise<Upstash[]> {
  const gateTokens: Token[] = [
    { token: settings.gateToken, rules: gateRights },
    { token: settings.readerToken, rules: readerRights },
    { token: settings.writerToken, rules: writerRights },
  ]
  const start = async (database: CloudSettings['databases'][number], index: number): Promise<Upstash> => {
    const { name, port, token } = database
    const proxy = await startUpstashProxy({
      redisPort: port,
      tokens: [{ token }, ...(index === 0 ? gateTokens : [])],
      strict: settings.checkScriptKeys,
      port: portOf(before?.databases[index]?.directUrl),
    })
    return { name, port, token, proxy }
  }
  return Promise.all(databases.map(start))
}

async function start(params: unknown): Promise<CloudAddresses> {
  const settings = cloudSettings.parse(params)
  const { dynamoDb, dataDir, before } = settings
  const upstash = await startUpstash(settings)
  const [first, ...others] = upstash
  if (first === undefined) throw new Error('The services need a database.')
  const aws = await startAws({ port: portOf(before?.aws), ...(dataDir !== undefined && { dataDir }) })
  const startProxy = (targetPort: number, url: string | undefined, targetHost = loopback) =>
    startFaultProxy({ targetHost, targetPort, port: portOf(url) })
  const startDatabaseProxy = async ({ name, proxy }: Upstash, index: number) =>
    [name, await startProxy(proxy.port, before?.databases[index]?.url)] as const
  const faults: Faults | undefined = settings.faults
    ? {
        redis: new Map(await Promise.all(upstash.map(startDatabaseProxy))),
        gate: await startProxy(first.proxy.port, before?.called.gate),
        sqs: await startProxy(aws.port, before?.called.sqs),
        s3: await startProxy(aws.port, before?.called.s3),
        dynamodb: await startProxy(dynamoDb.port, before?.called.dynamodb, dynamoDb.host),
      }
    : undefined
  parts = { upstash, aws, faults }

  aws.createBucket(resources.bucket)
  aws.createBucket(resources.uploads)
  const direct = {
    gate: first.proxy.url,
    sqs: aws.endpoint,
    s3: aws.endpoint,
    dynamodb: dynamoDb.endpoint,
  }
  const urlThrough = (broken: FaultyConnection | undefined, url: string) =>
    broken === undefined ? url : `http://${loopback}:${broken.port}`
  const addressOf = ({ name, port, token, proxy: { url: directUrl } }: Upstash) => {
    return { name, port, token, directUrl, url: urlThrough(faults?.redis.get(name), directUrl) }
  }
  const called = (name: Called) => urlThrough(faults?.[name], direct[name])
  // Functions use the host of the queue URL, so it must be the proxy.
  const queueAddress = ({ name, url, arn }: LocalQueue) => ({ url: queueUrl(called('sqs'), name), directUrl: url, arn })
  const createQueues = async (name: QueueName) => {
    const { visibilitySeconds } = settings
    const pair = await aws.createQueuePair(name, { visibilitySeconds, maxReceives })
    return { queue: queueAddress(pair.queue), deadLetters: queueAddress(pair.deadLetters) }
  }
  const site = `${aws.endpoint}/${resources.bucket}`
  const orders = await createQueues('orders')
  const deadlines = await createQueues('deadlines')
  const createWaking = async (name: WakingQueueName) => {
    const { visibilitySeconds, retentionSeconds } = wakingQueues[name]
    const times = { VisibilityTimeout: String(visibilitySeconds), MessageRetentionPeriod: String(retentionSeconds) }
    return [name, queueAddress(await aws.createQueue(name, times))] as const
  }
  const waking = await Promise.all(wakingQueueNames.map(createWaking))
  await Promise.all([
    createTable({ endpoint: dynamoDb.endpoint, region, name: resources.table, streams: settings.streams }),
    ...settings.siteDirs.map((dir) => uploadSite(dir, site)),
  ])
  return {
    databases: [addressOf(first), ...others.map(addressOf)],
    aws: aws.endpoint,
    called: { gate: called('gate'), sqs: called('sqs'), s3: called('s3'), dynamodb: called('dynamodb') },
    queues: { orders, deadlines },
    waking: Object.fromEntries(waking) as CloudAddresses['waking'],
    region,
  }
}

async function setFault(params: unknown): Promise<void> {
  const fault = z.nullable(faultRequest).parse(params)
  if (parts === undefined) throw new Error('The services have not been started.')
  const { faults } = parts
  if (fault === null) {
    for (const connection of connectionsOf(faults)) connection.set(null)
  } else if (isProxied(fault.target)) {
    if (faults === undefined) throw new Error('This system was started without fault proxies.')
    connectionOf(faults, fault.target, fault.database).set(connectionFaultOf(fault))
  }
}

const elsewhere: ReadonlySet<FaultTarget> = new Set(['origin', 'edge-store', 'mail', 'payments'])

function isProxied(target: FaultTarget): target is Called | 'redis' {
  return !elsewhere.has(target)
}

function connectionsOf(faults: Faults | undefined): FaultyConnection[] {
  if (faults === undefined) return []
  const { redis, ...others } = faults
  return [...redis.values(), ...Object.values(others)]
}

/** @throws for an unknown database */
function connectionOf(faults: Faults, target: Called | 'redis', database: Fault['database']): FaultyConnection {
  if (target !== 'redis') return faults[target]
  const [first] = faults.redis.keys()
  const found = faults.redis.get(database ?? first ?? '')
  if (found === undefined) throw new Error(`There is no database ${database}.`)
  return found
}

async function leave(): Promise<void> {
  if (parts === undefined) return
  const { upstash, aws, faults } = parts
  await Promise.all(connectionsOf(faults).map((connection) => connection.stop()))
  await Promise.all([...upstash.map(({ proxy }) => proxy.stop()), aws.stop()])
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.ico': 'image/x-icon',
}

/** Each upload uses two of this process's open files, which are few on some machines. */
const uploadConcurrency = 8

/**
 * Uploads every file below `siteDir` to `bucketUrl` like a deployment: hashed files first, pages after them.
 * @throws with the file's name, when its type is unknown
 */
async function uploadSite(siteDir: string, bucketUrl: string): Promise<void> {
  const entries = await readdir(siteDir, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(siteDir.length + 1))
  const { true: hashed = [], false: pages = [] } = Object.groupBy(files, (file) => `${isHashed(file)}`)
  for (const some of [...slicesOf(hashed, uploadConcurrency), ...slicesOf(pages, uploadConcurrency)])
    await Promise.all(some.map(upload))

  async function upload(file: string): Promise<void> {
    await put(file, cacheControlOf(file), await readFile(join(siteDir, file)), bucketUrl)
  }
}

async function put(
  file: string,
  cacheControl: string,
  body: string | Buffer<ArrayBuffer>,
  bucketUrl: string,
): Promise<void> {
  const contentType = contentTypes[extname(file)]
  if (contentType === undefined) throw new Error(`${file}: no content type is known for it`)
  const headers = { 'content-type': contentType, 'cache-control': cacheControl }
  const response = await fetch(`${bucketUrl}/${file}`, { method: 'PUT', headers, body })
  if (!response.ok) throw new Error(`${file}: the bucket answered ${response.status}`)
}

serveParent({ start, setFault }, leave)
