/**
 * The whole system on this machine, from one call: `npm start`, the tests, the rush and the measurements start it here.
 * The front and the edge run in this process; Lambda, and the managed services, in processes of their own.
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
import { type Breakable, type Fault, type FaultTarget, settingsOf } from './faults/faults.ts'
import { checkHealth, type Health } from './health.ts'
import { localIssuer } from './issuer/routes.ts'
import { localRoutes } from './local-routes.ts'
import { createMailbox, type Mailbox } from './mail/mailbox.ts'
import { type Origin, openOrigin } from './origin.ts'
import type { LocalPaymentProvider } from './payment/provider.ts'
import type { CloudAddresses } from './process/messages.ts'
import { type DatabaseControls, type Databases, type LostDatabases, openLostDatabases } from './redis/databases.ts'
import { resources } from './resources.ts'
import { openRestarts, type Restarts } from './restarts.ts'
import type { LocalPart } from './seams.ts'
import {
  createSecrets,
  type Keep,
  openLogs,
  type PartOptions,
  type Programs,
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
   * Runs `reserve` in so many processes, each of which answers one request at a time, as Lambda's environments do.
   * Default 0: in the process of all functions, which answers any number at once.
   */
  environments?: number
  /**
   * The CloudFront Functions have a change of their key-value store so much later. In the cloud it
   * takes some seconds. Default 0.
   */
  edgeDelayMs?: number
  /**
   * The distribution keeps no copy of a page for longer, as by CloudFront's maximum TTL. Default: a year, so
   * that the pages themselves say how long.
   */
  maxCopySeconds?: number
  /** Iterations of each try at a challenge; a shopper's browser needs some hundred tries. Default 5,000. */
  challengeCost?: number
  /** Called with each request to the distribution, before it is answered. */
  observe?: Observe
  /** Registers the parts of options in the shop. Default false. */
  registersParts?: boolean
  /** Called with each part, in words, as soon as it is ready. */
  progress?: (part: string) => void
  /** Called with a line about each failure of any part. Default: the console's error output. */
  log?: (line: string) => void
  /** Called when a part ended by itself and is not started again. */
  died?: (part: string) => void
}

/** `issuer` is for tests of tokens that the edge must reject. */
type StackTokenOptions = { roles?: string[]; level?: number; expiresInSeconds?: number; issuer?: string }

/** The surroundings of an instance of the edge function: its settings, and the way to the functions. */
export type EdgeSide = { settings: Record<string, string>; forward: Forward }

const localParts = mergedOf(workbench, 'parts')
type Parts = typeof localParts
type OptionParts = { readonly [Name in keyof Parts]: ReturnType<Parts[Name]['start']> }

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
  /**
   * Injects a fault; null ends all.
   * @throws for an unknown database, or one that is not ours to lose
   */
  setFault(fault: Fault | null): Promise<void>
  /** Ends and restarts the server of one database. */
  databases: DatabaseControls
  /** The payment provider, whose messages tests may hold back, repeat or delay. */
  payments: Pick<LocalPaymentProvider, 'behave'>
  /** The stand-in of Turnstile, whose widget and siteverify tests may let fail. */
  turnstile: Pick<LocalTurnstile, 'url' | 'behave' | 'asked'>
  /** The key with which a till redeems coupons. */
  shopKey: string
  /** The e-mails that were sent, the newest first. */
  mails: Mailbox['mails']
  /** The parts of options. */
  ofOptions: OptionParts
  /** For instances of the edge function besides the front's own. */
  edge: EdgeSide
  /** Invokes a scheduled function now; `payload` is its event. */
  runSchedule(name: string, payload?: unknown): Promise<unknown>
  /** Stops every part and waits until it is gone. A second call waits for the first. */
  stop(): Promise<void>
}

const sessionSeconds = 3600
const yearSeconds = 365 * 24 * 3600
const challengeCost = 5000

/**
 * Starts everything; `dist/` must have been built. A failed start stops the parts that were started.
 * @throws PortTaken, or the failure of a part
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const running: { stop(): Promise<void> }[] = []
  const keep: Keep = (part) => {
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
    return await start(options, { log, restarts, keep, stop })
  } catch (failure) {
    await stop()
    throw failure
  }
}

/** Stops the last started part first, so that no part loses what it depends on. */
async function stopInReverse(running: { stop(): Promise<void> }[]): Promise<void> {
  for (const part of running.reverse()) await part.stop()
}

type StackBase = { log: (line: string) => void; restarts: Restarts; keep: Keep; stop(): Promise<void> }

async function start(options: StackOptions, { log, restarts, keep, stop }: StackBase): Promise<Stack> {
  const { dataDir } = options
  const ready = options.progress ?? (() => {})
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  // The port is taken first: if it is in use, nothing else has been started.
  const front = keep(await startFront(options.port ?? 0, log, options.observe))
  const url = `http://localhost:${front.port}`
  const logs = keep(await openLogs(dataDir))

  const { databases = 1, environments = 0, edgeDelayMs = 0, lowerPriority = false } = options
  const programs = await startPrograms(
    { dataDir, databases, environments, edgeDelayMs, lowerPriority, logs, log, restarts },
    keep,
  )
  ready(`${describeRedis(programs.databases.list)}, DynamoDB`)
  const secrets = createSecrets()
  const addresses = await startServices(programs, secrets, options)
  ready('Upstash API, SQS, S3, table and site')
  const { payments, urls, reserveUrls, faults } = await startFunctions(
    programs,
    { addresses, secrets, url, options },
    keep,
  )
  ready('functions, queue and schedule')

  const origins = keep(openFunctionOrigins(urls, reserveUrls))
  const lost = keep(openLostDatabases(programs.databases, log))
  const bucket = openOrigin(addresses.aws)
  keep({ stop: () => bucket.close() })
  await firstPage(bucket, `/${resources.bucket}/index.html`)
  const forward = forwarder({ originOf: origins.originOf, signingSecret: secrets.signing })
  const challenge = { key: secrets.challenge, cost: options.challengeCost ?? challengeCost }
  const { publicKey } = programs.identity
  const turnstile = keep(await startTurnstile({ clock: Date.now }))
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

/** `Redis 7.0.15`, with what is special about it. */
function describeRedis(list: Databases['list']): string {
  const [{ version, kind }] = list
  const several = list.length === 1 ? '' : `, ${list.length} databases`
  return `Redis ${version}${kind === 'redis-server' ? '' : ` (${kind})`}${several}`
}

/** The methods of a running stack that act on its parts. */
function controlsOf(
  { cloud, functions, environments, workers, databases, dynamoDb, identity, edgeClock }: Programs,
  parts: {
    url: string
    addresses: CloudAddresses
    origins: FunctionOrigins
    lost: LostDatabases
    faults: Partial<Record<FaultTarget, Breakable>>
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
      else faults[fault.target]?.set(settingsOf(fault))
      if (fault === null) await lost.comeBack()
      else if (fault.mode === 'lose') await lost.lose(fault.database ?? first, fault.forMs ?? 0)
      else if (fault.target === 'redis') await lost.comeBack(fault.database ?? first)
    },
    runSchedule: (name, payload) => workers.call('runSchedule', { name, payload }, z.unknown()),
  }
}

const everyMs = 20
/** A machine that is busy with other work took a minute. */
const patienceMs = 180_000

/**
 * Waits until the bucket has the page at `path`: the first page of the shop is not part of the build, and the scheduled
 * `reconcile` publishes it, here as in the cloud.
 * @throws when the first run of the schedule has not published it
 */
export async function firstPage(bucket: Pick<Origin, 'send'>, path: string): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  while ((await bucket.send({ method: 'HEAD', path, headers: [], body: null })).status !== 200) {
    if (Date.now() >= giveUpAt) throw new Error('The schedule has not published the first page of the shop.')
    await sleep(everyMs)
  }
}
