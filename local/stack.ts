/**
 * Starts the whole system on this machine, for `npm start`, tests, rush and measurements. The front and the edge run in
 * this process; Lambda and the managed services run in separate processes.
 */
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { controlClient, fetchPass } from '../cli/control-client.ts'
import { issuer, signInClaims } from '../cli/identity.ts'
import { mergedOf } from '../core/lib/fold.ts'
import { parse } from '../core/lib/parse.ts'
import { workbench } from '../options/registry/workbench.ts'
import { type LocalTurnstile, startTurnstile } from './captcha/turnstile.ts'
import { apiBehaviour } from './cdn/api.ts'
import { sharedCache } from './cdn/cache.ts'
import { type Forward, forwarder } from './cdn/forward.ts'
import { type Observe, startFront } from './cdn/front.ts'
import { type FunctionOrigins, openFunctionOrigins } from './cdn/function-origins.ts'
import { siteBehaviour } from './cdn/site.ts'
import { createDemo } from './demo.ts'
import { edgeSettings } from './environment.ts'
import { connectionFaultOf, type Fault, type FaultTarget, type FaultyConnection } from './faults/faults.ts'
import { checkHealth, type StackHealth } from './health.ts'
import { localIssuer } from './issuer/routes.ts'
import { localRoutes } from './local-routes.ts'
import { createMailbox, type LocalMailbox } from './mail/mailbox.ts'
import { type Origin, openOrigin } from './origin.ts'
import type { LocalPaymentProvider } from './payment/provider.ts'
import type { CloudAddresses } from './process/messages.ts'
import { type DatabaseControls, type Databases, type LostDatabases, openLostDatabases } from './redis/databases.ts'
import { resources } from './resources.ts'
import { openRestarts, type Restarts } from './restarts.ts'
import type { LocalPart } from './seams.ts'
import {
  createSecrets,
  openLogs,
  type PartOptions,
  type Programs,
  type StopLater,
  signInClient,
  startFunctions,
  startPrograms,
  startServices,
} from './stack-parts.ts'

export type StackOptions = PartOptions & {
  /** The front's port; 0 (default) is any free one. */
  port?: number
  /** Creates the demo sales. Default false. */
  demo?: boolean
  /**
   * The databases of the stock, each with a Redis server and an Upstash API of its own: `main`,
   * `db-2` and so on. Default 1.
   */
  databases?: number
  /**
   * The number of separate processes of `reserve`, each of which answers one request at a time, like Lambda's
   * environments. Default 0: it runs in the process of all functions, which answers any number at once.
   */
  environments?: number
  /**
   * The delay until CloudFront Functions see a change of their key-value store, ms. In the cloud it is some seconds.
   * Default 0.
   */
  edgeDelayMs?: number
  /** The maximum TTL of the distribution's cache. Default: a year, so that the headers of pages decide. */
  maxCopySeconds?: number
  /** Iterations per try of a proof-of-work challenge; a browser needs some hundred tries. Default 5,000. */
  challengeCost?: number
  /** Called with each request to the distribution, before it is answered. */
  observe?: Observe
  /** Registers the parts of options in the shop. Default false. */
  registersParts?: boolean
  /** Called with a text for each part as soon as it is ready. */
  progress?: (part: string) => void
  /** Called with a line about each failure of any part. Default: the console's error output. */
  log?: (line: string) => void
  /** Called when a part ended by itself and is not restarted. */
  died?: (part: string) => void
}

/** `issuer` is for tests of tokens that the edge must reject. */
type StackTokenOptions = { roles?: string[]; level?: number; expiresInSeconds?: number; issuer?: string }

/** The inputs of an instance of the edge function: its settings, and `forward` to the functions. */
export type EdgeSide = { settings: Record<string, string>; forward: Forward }

const localParts = mergedOf(workbench, 'parts')
type Parts = typeof localParts
type OptionParts = { readonly [Name in keyof Parts]: ReturnType<Parts[Name]['start']> }

export type Stack = {
  url: string
  port: number
  /** The folder of the other processes' logs. */
  logDir: string
  /** Returns the health and the address of every part. */
  parts(): Promise<StackHealth>
  /**
   * Returns a signed session token.
   * @throws for an invalid shopper id or role
   */
  token(shopperId: string, options?: StackTokenOptions): Promise<string>
  /**
   * Injects a fault; null ends all.
   * @throws for an unknown database
   */
  setFault(fault: Fault | null): Promise<void>
  /** Kills and restarts the server of one database. */
  databases: DatabaseControls
  /** The payment provider, whose messages tests can hold, duplicate or delay. */
  payments: Pick<LocalPaymentProvider, 'behave'>
  /** The emulated Turnstile; tests can make its widget and siteverify fail. */
  turnstile: Pick<LocalTurnstile, 'url' | 'behave' | 'verifyCalls'>
  /** The key with which a till redeems coupons. */
  shopKey: string
  /** Returns the sent emails, the newest first. */
  mails: LocalMailbox['mails']
  /** The parts of options. */
  ofOptions: OptionParts
  /** For further instances of the edge function. */
  edge: EdgeSide
  /** Invokes a scheduled function now; `payload` is its event. */
  runSchedule(name: string, payload?: unknown): Promise<unknown>
  /** Stops every part and waits until all have ended. A second call waits for the first. */
  stop(): Promise<void>
}

const sessionSeconds = 3600
const yearSeconds = 365 * 24 * 3600
const challengeCost = 5000

/**
 * Starts everything; `dist/` must be built. A failed start stops the parts that were started.
 * @throws PortTaken, or the failure of a part
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const running: { stop(): Promise<void> }[] = []
  const stopLater: StopLater = (part) => {
    running.push(part)
    return part
  }
  const log = options.log ?? console.error
  const restarts = openRestarts({ log, gaveUp: (part) => options.died?.(part) })
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= restarts.stop().then(() => stopInReverse(running))
    return stopping
  }
  try {
    return await start(options, { log, restarts, stopLater, stop })
  } catch (failure) {
    await stop()
    throw failure
  }
}

/** Stops parts in reverse order, so that no part loses its dependencies. */
async function stopInReverse(running: { stop(): Promise<void> }[]): Promise<void> {
  for (const part of running.reverse()) await part.stop()
}

type StackBase = { log: (line: string) => void; restarts: Restarts; stopLater: StopLater; stop(): Promise<void> }

async function start(options: StackOptions, { log, restarts, stopLater, stop }: StackBase): Promise<Stack> {
  const { dataDir } = options
  const ready = options.progress ?? (() => {})
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  // The port comes first: if it is in use, nothing else has been started.
  const front = stopLater(await startFront(options.port ?? 0, log, options.observe))
  const url = `http://localhost:${front.port}`
  const logs = stopLater(await openLogs(dataDir))

  const { databases = 1, environments = 0, edgeDelayMs = 0, lowerPriority = false, inspected } = options
  const programs = await startPrograms(
    { dataDir, databases, environments, edgeDelayMs, lowerPriority, inspected, logs, log, restarts },
    stopLater,
  )
  ready(`${describeRedis(programs.databases.list)}, DynamoDB`)
  const secrets = createSecrets()
  const addresses = await startServices(programs, secrets, options)
  ready('Upstash API, SQS, S3, table and site')
  const { payments, urls, reserveUrls, faults } = await startFunctions(
    programs,
    { addresses, secrets, url, options },
    stopLater,
  )
  ready('functions, queue and schedule')

  const origins = stopLater(openFunctionOrigins(urls, reserveUrls))
  const lost = stopLater(openLostDatabases(programs.databases, log))
  const bucket = openOrigin(addresses.aws)
  stopLater({ stop: () => bucket.close() })
  await firstPage(bucket, `/${resources.bucket}/index.html`)
  const forward = forwarder({ originOf: origins.originOf, signingSecret: secrets.signing })
  const challenge = { key: secrets.challenge, cost: options.challengeCost ?? challengeCost }
  const { publicKey } = programs.identity
  const turnstile = stopLater(await startTurnstile({ clock: Date.now }))
  const { siteKey, secret, verifyUrl } = turnstile
  const settings = edgeSettings(addresses, front.port, {
    ...{ tokens: secrets, publicKey, challenge, turnstile: { siteKey, secret, verifyUrl } },
  })
  const mailbox = createMailbox(Date.now)
  const started = Object.entries<LocalPart>(localParts).map(([name, part]) => [name, part.start(Date.now)] as const)
  const stack: Stack = {
    url,
    port: front.port,
    logDir: logs.dir,
    stop,
    databases: programs.databases,
    ...controlsOf(programs, { url, addresses, origins, lost, faults: faults ?? {} }),
    payments,
    turnstile,
    shopKey: secrets.shopKey,
    mails: mailbox.mails,
    ofOptions: Object.fromEntries(started) as OptionParts,
    edge: { settings, forward },
  }
  const { preGate, edge, pathOf, clock } = programs.bundles
  const { maxCopySeconds = yearSeconds } = options
  const ttls = { errorTtlMs: 1000, maxTtlMs: maxCopySeconds * 1000 }
  const cache = sharedCache({ now: Date.now, ...ttls, maxBytes: 64 * 1024 * 1024 })
  const places = { bucket, bucketName: resources.bucket, uploadOrigin: addresses.called.s3, turnstile: turnstile.url }
  // From here on the front answers requests.
  front.open({
    api: apiBehaviour({ preGate, edge, customHeaders: settings, forward, log }),
    site: siteBehaviour({ pathOf, cache, clock, ...places }),
    local: localRoutes({
      identity: programs.identity,
      getPass: (token) => fetchPass(url, token),
      health: stack.parts,
      setFault: stack.setFault,
      databases: programs.databases.list.map(({ name }) => name),
      runSchedule: stack.runSchedule,
      issuer: localIssuer({ shop: url, client: signInClient(secrets), log }),
      ...{ payments, turnstile, mailbox, ofOptions: started.map(([, part]) => part) },
    }),
  })
  ready('front')
  const marketer = () => stack.token('mia', { roles: ['marketer'] })
  for (const [, part] of options.registersParts === true ? started : []) {
    await part.register(url, async () => controlClient({ url, token: await marketer() }))
  }
  if (options.demo === true) {
    await createDemo({ url, token: await marketer() })
    ready('demo sales')
  }
  return stack
}

/** Returns a text such as `Redis 7.0.15, 2 databases`. */
function describeRedis(list: Databases['list']): string {
  const [{ version, kind }] = list
  const several = list.length === 1 ? '' : `, ${list.length} databases`
  return `Redis ${version}${kind === 'redis-server' ? '' : ` (${kind})`}${several}`
}

/** Returns the methods of a running stack that act on its parts. */
function controlsOf(
  { cloud, functions, environments, workers, databases, dynamoDb, identity, edgeClock }: Programs,
  parts: {
    url: string
    addresses: CloudAddresses
    origins: FunctionOrigins
    lost: LostDatabases
    faults: Partial<Record<FaultTarget, FaultyConnection>>
  },
): Pick<Stack, 'parts' | 'token' | 'setFault' | 'runSchedule'> {
  const { url, addresses, origins, lost, faults } = parts
  const [{ name: first, version, kind }] = databases.list
  return {
    parts: () =>
      checkHealth({
        url,
        edge: edgeClock.read(),
        functions: [functions, ...environments, workers],
        redis: { version, kind },
        dynamoDbEndpoint: dynamoDb.endpoint,
        cloud: addresses,
      }),
    async token(shopperId, { roles, level, ...life } = {}) {
      const who = parse(signInClaims, { shopperId, ...(roles && { roles }), ...(level !== undefined && { level }) })
      if (!who.ok) throw new Error(who.detail)
      return identity.token(who.value, { expiresInSeconds: sessionSeconds, issuer, ...life })
    },
    async setFault(fault) {
      await cloud.call('setFault', fault, z.unknown())
      await origins.setFault(fault)
      if (fault === null) for (const own of Object.values(faults)) own.set(null)
      else faults[fault.target]?.set(connectionFaultOf(fault))
      if (fault === null) await lost.restore()
      else if (fault.mode === 'lose') await lost.lose(fault.database ?? first, fault.forMs ?? 0)
      else if (fault.target === 'redis') await lost.restore(fault.database ?? first)
    },
    runSchedule: (name, payload) => workers.call('runSchedule', { name, payload }, z.unknown()),
  }
}

const everyMs = 20
/** A busy machine took a minute. */
const patienceMs = 180_000

/**
 * Waits until the bucket has the page at `path`: the first page of the shop is not part of the build; the scheduled
 * `reconcile` publishes it.
 * @throws when the first run of the schedule has not published it
 */
export async function firstPage(bucket: Pick<Origin, 'send'>, path: string): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  while ((await bucket.send({ method: 'HEAD', path, headers: [], body: null })).status !== 200) {
    if (Date.now() >= giveUpAt) throw new Error('The schedule has not published the first page of the shop.')
    await sleep(everyMs)
  }
}
