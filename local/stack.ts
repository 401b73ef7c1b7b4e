/**
 * The whole system on this machine, from one call: `npm start`, the tests, the rush and the
 * measurements start it here. The front and the edge run in this process; Lambda, and the managed
 * services, in processes of their own.
 */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { dist } from '../build.ts'
import { claims, createIdentity, issuer } from '../cli/identity.ts'
import { parse } from '../core/parse.ts'
import { visibilitySeconds } from '../system/queues.ts'
import { apiBehaviour } from './cdn/api.ts'
import { sharedCache } from './cdn/cache.ts'
import { loadEdgeFunction, loadMissingFunction } from './cdn/edge-function.ts'
import { type Forward, forwarder } from './cdn/forward.ts'
import { type Front, startFront } from './cdn/front.ts'
import { openFunctionOrigins } from './cdn/function-origins.ts'
import { openOrigin } from './cdn/origin.ts'
import { loadPreGate } from './cdn/pre-gate.ts'
import { siteBehaviour } from './cdn/site.ts'
import { loadSiteFunction } from './cdn/site-function.ts'
import { createDemo } from './demo.ts'
import { startDynamoDb } from './dynamodb.ts'
import { edgeSettings, functionEnvironment } from './environment.ts'
import type { Fault } from './faults.ts'
import { firstPage } from './first-page.ts'
import { checkHealth, type Health } from './health.ts'
import { localRoutes } from './local-routes.ts'
import { openLogs } from './logs.ts'
import { type LocalPaymentProvider, startPaymentProvider } from './payment/provider.ts'
import {
  type CloudSettings,
  cloudAddresses,
  type FunctionsSettings,
  functionsAddresses,
  type WorkersSettings,
} from './process/messages.ts'
import { startHost } from './process/rpc.ts'
import { startRedis } from './redis-server.ts'
import { resources } from './resources.ts'

export type StackOptions = {
  /** The front's port; 0 (default) is any free one. */
  port?: number
  /** Keeps data, key pair and logs in this folder; without it the data ends with the stack. */
  dataDir?: string
  /** Creates the demo sales. Default false. */
  demo?: boolean
  /** Rejects Redis keys that a script did not declare, as Upstash does. Default true. */
  strict?: boolean
  /**
   * How long a message stays hidden after a failed try. Default: as in the cloud, about a minute.
   */
  visibilitySeconds?: number
  /**
   * Runs `reconcile` on its schedule. Without it `reconcile` runs once at the start, for the first
   * page, and on demand: a test that checks the result of one run needs it to be the only one.
   * Default true.
   */
  scheduled?: boolean
  /**
   * Iterations of each try at a challenge; a shopper's browser needs some hundred tries. Default
   * 5,000.
   */
  challengeCost?: number
  /** Called with each part, in words, as soon as it is ready. */
  progress?: (part: string) => void
  /** Called with a line about each failure of any part. Default: the console's error output. */
  log?: (line: string) => void
  /** Called when a part ends by itself. */
  died?: (part: string) => void
}

/** `issuer` is for tests of tokens that the edge must reject. */
export type StackTokenOptions = {
  roles?: string[]
  level?: number
  expiresInSeconds?: number
  issuer?: string
}

/**
 * The surroundings of an instance of the edge function: its settings, and the way to the functions.
 */
export type EdgeSide = { settings: Record<string, string>; forward: Forward }

export type Stack = {
  url: string
  port: number
  /** The folder of the other processes' logs. */
  logDir: string
  /** The health and the address of every part. */
  parts(): Promise<Health>
  /**
   * A signed session token.
   * @throws for an invalid shopper id or role
   */
  token(shopperId: string, options?: StackTokenOptions): Promise<string>
  /** Injects a fault; null ends all. */
  setFault(fault: Fault | null): Promise<void>
  /** The payment provider, whose messages tests may hold back, repeat or delay. */
  payments: Pick<LocalPaymentProvider, 'behave'>
  /** For instances of the edge function besides the front's own. */
  edge: EdgeSide
  /** Invokes a scheduled function now; `payload` is its event. */
  runSchedule(name: string, payload?: unknown): Promise<unknown>
  /** Stops every part and waits until it is gone. A second call waits for the first. */
  stop(): Promise<void>
}

const sessionSeconds = 3600
const challengeCost = 5000
/** Long enough for running invocations; the whole stop stays below three seconds. */
const hostPatienceMs = 1000

/**
 * Starts everything; `dist/` must have been built. A failed start stops the parts that were
 * started.
 * @throws PortTaken, or the failure of a part
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const running: { stop(): Promise<void> }[] = []
  const keep = <T extends { stop(): Promise<void> }>(part: T): T => {
    running.push(part)
    return part
  }
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopInReverse(running)
    return stopping
  }
  try {
    return await start(options, keep, stop)
  } catch (failure) {
    await stop()
    throw failure
  }
}

/** Stops the last started part first, so that no part loses what it depends on. */
async function stopInReverse(running: { stop(): Promise<void> }[]): Promise<void> {
  for (const part of running.reverse()) await part.stop()
}

async function start(
  options: StackOptions,
  keep: <T extends { stop(): Promise<void> }>(part: T) => T,
  stop: () => Promise<void>,
): Promise<Stack> {
  const log = options.log ?? console.error
  const { dataDir } = options
  const ready = options.progress ?? (() => {})
  const died = (part: string) => {
    log(`${part} has ended by itself`)
    options.died?.(part)
  }
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  // The port is taken first: if it is in use, nothing else has been started.
  const front: Front = keep(await startFront(options.port ?? 0, log))
  const logs = keep(await openLogs(dataDir))

  // Node takes longer to start than the programs do, so the hosts start first and get their
  // settings later.
  const cloud = startHost('cloud-host.ts', logs.file('cloud'), died)
  const functions = startHost('functions-host.ts', logs.file('functions'), died)
  const workers = startHost('workers-host.ts', logs.file('workers'), died)
  const starting = [
    startRedis({ ...(dataDir && { dataDir }), log, onExit: () => died('Redis') }).then(keep),
    startDynamoDb({ ...(dataDir && { dataDir }), onExit: () => died('DynamoDB') }).then(keep),
    createIdentity(dataDir && join(dataDir, 'identity.json')),
    loadPreGate(dist),
    loadEdgeFunction(dist),
    loadMissingFunction(dist),
    loadSiteFunction(dist),
  ] as const
  // Wait for all before an error is thrown, or a late part would keep running.
  await Promise.allSettled(starting)
  keep({ stop: () => cloud.stop(hostPatienceMs) })
  keep({ stop: () => workers.stop(hostPatienceMs) })
  keep({ stop: () => functions.stop(hostPatienceMs) })
  const [redis, dynamoDb, identity, preGate, edge, missing, pathOf] = await Promise.all(starting)
  ready(`Redis ${redis.version}${redis.kind === 'redis-server' ? '' : ` (${redis.kind})`}, DynamoDB`)

  const secrets = {
    stock: secret(),
    gate: secret(),
    reader: secret(),
    writer: secret(),
    signing: secret(),
    challenge: secret(),
  }
  const addresses = await cloud.call(
    'start',
    {
      redis: { host: redis.host, port: redis.port, ...(redis.login && { login: redis.login }) },
      dynamoDb: { endpoint: dynamoDb.endpoint, host: dynamoDb.host, port: dynamoDb.port },
      stockToken: secrets.stock,
      gateToken: secrets.gate,
      readerToken: secrets.reader,
      writerToken: secrets.writer,
      strict: options.strict ?? true,
      ...(dataDir && { dataDir: join(dataDir, 'aws') }),
      siteDirs: [join(dist, 'site'), join(dist, 'local')],
      visibilitySeconds: options.visibilitySeconds ?? visibilitySeconds,
    } satisfies CloudSettings,
    cloudAddresses,
  )
  ready('Upstash API, SQS, S3, table and site')

  const url = `http://localhost:${front.port}`
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
  const apiKey = secret()
  const payments = keep(
    startPaymentProvider({ webhookUrl: `${url}/api/payments/webhook`, webhookSecret, apiKey }),
  )
  const environment = functionEnvironment(addresses, secrets, {
    url: `${url}/local/payment`,
    apiKey,
    webhookSecret,
  })
  const serving = { dist, environment, signingSecret: secrets.signing } satisfies FunctionsSettings
  const { queues } = addresses
  const working = {
    dist,
    environment,
    orders: queues.orders.queue,
    claims: queues.claims.queue,
    deadlines: queues.deadlines.queue,
    scheduled: options.scheduled ?? true,
  } satisfies WorkersSettings
  const [{ urls }] = await Promise.all([
    functions.call('start', serving, functionsAddresses),
    workers.call('start', working, z.null()),
  ])
  ready('functions, queue and schedule')

  const origins = keep(openFunctionOrigins(urls))
  const bucket = openOrigin(addresses.aws)
  keep({ stop: () => bucket.close() })
  await firstPage(bucket, `/${resources.bucket}/index.html`)
  const forward = forwarder({ originOf: origins.originOf, signingSecret: secrets.signing })
  const challenge = { key: secrets.challenge, cost: options.challengeCost ?? challengeCost }
  const settings = edgeSettings(addresses, secrets, identity.publicKey, challenge, front.port)
  const stack: Stack = {
    url,
    port: front.port,
    logDir: logs.dir,
    stop,
    parts: () =>
      checkHealth({
        url,
        functions: [functions, workers],
        redis: { version: redis.version, kind: redis.kind, port: redis.port },
        dynamoDbEndpoint: dynamoDb.endpoint,
        stockToken: secrets.stock,
        cloud: addresses,
      }),
    async token(shopperId, { roles, level, ...life } = {}) {
      const who = parse(claims, { shopperId, ...(roles && { roles }), ...(level !== undefined && { level }) })
      if (!who.ok) throw new Error(who.detail)
      return identity.token(who.value, { expiresInSeconds: sessionSeconds, issuer, ...life })
    },
    async setFault(fault) {
      await cloud.call('setFault', fault, z.unknown())
      await origins.setFault(fault)
    },
    payments,
    edge: { settings, forward },
    runSchedule: (name, payload) => workers.call('runSchedule', { name, payload }, z.unknown()),
  }
  front.open({
    api: apiBehaviour({ preGate, edge, customHeaders: settings, forward, log }),
    site: siteBehaviour({
      pathOf,
      cache: sharedCache({ now: Date.now, errorTtlMs: 1000, maxBytes: 64 * 1024 * 1024 }),
      bucket,
      bucketName: resources.bucket,
      missing,
    }),
    local: localRoutes({
      identity,
      health: stack.parts,
      setFault: stack.setFault,
      runSchedule: stack.runSchedule,
      payments,
    }),
  })
  ready('front')
  if (options.demo === true) {
    await createDemo({ url: stack.url, token: await stack.token('mia', { roles: ['marketer'] }) })
    ready('demo sales')
  }
  return stack
}

const secret = () => randomBytes(24).toString('base64url')
