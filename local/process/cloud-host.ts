/**
 * The process of the managed services: the Upstash API, SQS and S3, and, on request, a fault proxy in
 * front of each service that functions call. A process of its own, so that front and services share the
 * machine's cores.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { maxReceives, type QueueName } from '../../system/queues.ts'
import { gateRights, readerRights, writerRights } from '../../system/redis-rights.ts'
import { type Aws, type LocalQueue, queueUrl, region, startAws } from '../aws.ts'
import { startDistantTable } from '../distant-table.ts'
import { startFaultFront } from '../fault-front.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import type { Breakable } from '../fault-switch.ts'
import { type FaultTarget, faultRequest } from '../faults.ts'
import type { Listening } from '../listen.ts'
import { loopback } from '../ports.ts'
import { resources } from '../resources.ts'
import { startUpstashProxy, type UpstashProxy } from '../upstash/proxy.ts'
import { type CloudAddresses, cloudSettings } from './messages.ts'
import { serveParent } from './rpc.ts'
import { createTable } from './table.ts'
import { uploadSite } from './upload-site.ts'

type Parts = {
  upstash: UpstashProxy
  aws: Aws
  distant: Listening | undefined
  faults: Faults | undefined
}

type Faults = Record<Exclude<FaultTarget, 'origin'>, Breakable>

let parts: Parts | undefined

async function start(params: unknown): Promise<CloudAddresses> {
  const settings = cloudSettings.parse(params)
  const { redis, dynamoDb, dataDir, tableLatencyMs } = settings
  const upstash = await startUpstashProxy({
    redisHost: redis.host,
    redisPort: redis.port,
    ...(redis.login !== undefined && { redisLogin: redis.login }),
    tokens: [
      { token: settings.stockToken },
      { token: settings.gateToken, rules: gateRights },
      { token: settings.readerToken, rules: readerRights },
      { token: settings.writerToken, rules: writerRights },
    ],
    strict: settings.checkScriptKeys,
  })
  const aws = await startAws(dataDir === undefined ? {} : { dataDir })
  const distant =
    tableLatencyMs === undefined
      ? undefined
      : await startDistantTable({
          target: dynamoDb,
          delay: () => sleep(tableLatencyMs),
        })
  const table = distant === undefined ? dynamoDb : { host: loopback, port: distant.port }
  const faults: Faults | undefined = settings.faults
    ? {
        redis: await startFaultFront({ server: upstash.server }),
        gate: await startFaultFront({ server: upstash.server }),
        sqs: await startFaultFront({ server: aws.server }),
        dynamodb: await startFaultProxy({ targetHost: table.host, targetPort: table.port }),
      }
    : undefined
  parts = { upstash, aws, distant, faults }

  aws.createBucket(resources.bucket)
  const direct = {
    redis: upstash.url,
    gate: upstash.url,
    sqs: aws.endpoint,
    dynamodb: `http://${table.host}:${table.port}`,
  }
  const called = (name: keyof Faults) =>
    faults === undefined ? direct[name] : `http://${loopback}:${faults[name].port}`
  // Functions reach a queue by its URL alone, so the URL must lead through the proxy.
  const bothWays = ({ name, url, arn }: LocalQueue) => ({
    url: queueUrl(called('sqs'), name),
    directUrl: url,
    arn,
  })
  const createQueues = async (name: QueueName) => {
    const { visibilitySeconds } = settings
    const pair = await aws.createQueuePair(name, { visibilitySeconds, maxReceives })
    return { queue: bothWays(pair.queue), deadLetters: bothWays(pair.deadLetters) }
  }
  const orders = await createQueues('orders')
  const claims = await createQueues('claims')
  const deadlines = await createQueues('deadlines')
  await Promise.all([
    createTable(dynamoDb.endpoint, region, resources.table),
    ...settings.siteDirs.map((dir) => uploadSite(dir, `${aws.endpoint}/${resources.bucket}`)),
  ])
  return {
    upstash: upstash.url,
    aws: aws.endpoint,
    called: {
      redis: called('redis'),
      gate: called('gate'),
      sqs: called('sqs'),
      dynamodb: called('dynamodb'),
    },
    queues: { orders, claims, deadlines },
    region,
  }
}

async function setFault(params: unknown): Promise<void> {
  const fault = z.nullable(faultRequest).parse(params)
  if (parts === undefined) throw new Error('The services have not been started.')
  const { faults } = parts
  if (fault === null) {
    for (const proxy of Object.values(faults ?? {})) proxy.set(null)
  } else if (fault.target !== 'origin') {
    if (faults === undefined) throw new Error('This system was started without fault proxies.')
    const { target, ...settings } = fault
    faults[target].set(settings)
  }
}

async function leave(): Promise<void> {
  if (parts === undefined) return
  const { upstash, aws, distant, faults } = parts
  await Promise.all(Object.values(faults ?? {}).map((proxy) => proxy.stop()))
  await Promise.all([upstash.stop(), aws.stop(), distant?.stop()])
}

serveParent({ start, setFault }, leave)
