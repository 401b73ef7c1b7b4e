/** The steps that start the processes and programs of the stack. */
import { generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { dist } from '../build.ts'
import { createIdentity } from '../cli/identity.ts'
import { joined } from '../core/lib/fold.ts'
import { shopKeyBytes } from '../core/orders/shop-key.ts'
import type { SigningKey } from '../functions/lib/session-token.ts'
import type { ProviderName } from '../functions/orders/payments/choose.ts'
import { workbench } from '../options/registry/workbench.ts'
import { everyFunction } from '../system/functions.ts'
import { visibilitySeconds } from '../system/queues.ts'
import { startSecretsManager } from './aws/secrets-manager.ts'
import { loadClock, loadPreGate, loadSiteFunction } from './cdn/cloudfront-functions.ts'
import { loadEdgeFunction } from './cdn/edge-exchange.ts'
import { openEdgeClock } from './cdn/edge-times.ts'
import { startKeyValueApi } from './cdn/key-value-api.ts'
import { createKeyValueStore } from './cdn/key-value-store.ts'
import { functionEnvironment, valueEnvironment } from './environment.ts'
import { startFaultProxy } from './faults/fault-proxy.ts'
import type { FaultyConnection, MainProcessTarget } from './faults/faults.ts'
import { issuerUrl } from './issuer/routes.ts'
import { listen } from './listen.ts'
import { sesPrefix } from './mail/mailbox.ts'
import { type LocalPaymentProvider, startPaymentProvider } from './payment/provider.ts'
import { portOf } from './ports.ts'
import { openInspector } from './process/inspector.ts'
import {
  type CloudAddresses,
  type CloudSettings,
  cloudAddresses,
  environmentAddress,
  type FunctionsAddresses,
  type FunctionsSettings,
  functionsAddresses,
  type WorkersSettings,
} from './process/messages.ts'
import { startHost } from './process/rpc.ts'
import { startDatabases } from './redis/databases.ts'
import { resources } from './resources.ts'
import type { Restarts, StartAgain } from './restarts.ts'
import type { LocalService, SecretOf } from './seams.ts'
import { startDynamoDb } from './table/dynamodb.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Options of the services and the functions. */
export type PartOptions = {
  /** Stores data, key pair and logs in this folder; without it the data ends with the stack. */
  dataDir?: string
  /** The payment API of the shop. Default `simulated`. */
  payments?: ProviderName
  /**
   * Rejects Redis keys that a script did not declare, as Upstash does. A check for tests: it takes about 10 µs of
   * Redis's time per order, so `npm start` and the measurements switch it off. Default true.
   */
  checkScriptKeys?: boolean
  /**
   * Puts a fault proxy in front of each service, for `setFault`. It copies every byte, so the measurements switch the
   * proxies off. Default true.
   */
  faults?: boolean
  /** Visibility timeout of the queues. Default: as in the cloud, about a minute. */
  visibilitySeconds?: number
  /**
   * Runs `reconcile` on its schedule. Without it `reconcile` runs once at the start, for the first page, and on demand:
   * a test that checks the result of one run needs it to be the only one. Default true.
   */
  scheduled?: boolean
  /** Runs `reconcile` for the sales that wake it. Default: as `scheduled`. */
  woken?: boolean
  /**
   * Runs the table and the workers at a lower priority than the functions that shoppers wait for. In
   * the cloud they have machines of their own. Tests leave it out, as they wait for the workers too:
   * on a busy machine these would starve. Default false.
   */
  lowerPriority?: boolean
  /**
   * Sends emails to shoppers, into the mailbox of this machine. The table needs a stream for them, so the
   * measurements leave it out. Default false.
   */
  mail?: boolean
  /** Runs the functions of options, which need the stream as well. Default false. */
  optionFunctions?: boolean
  /** Opens Node's inspector in the process of this function. Default: in none. */
  inspected?: Inspected
}

/** Registers a started part to be stopped with the stack. */
export type StopLater = <T extends { stop(): Promise<void> }>(part: T) => T

/** A function by its name, or the gate, which runs in this process. */
export const inspectable = ['gate', ...everyFunction] as const
export type Inspected = (typeof inspectable)[number]

export type Programs = Awaited<ReturnType<typeof startPrograms>>

export type StackSecrets = ReturnType<typeof createSecrets>

/** The limit of most plans of Upstash (https://upstash.com/docs/redis/overall/billing). */
const commandsPerSecond = 10_000

/** Long enough for running invocations; stopping everything takes less than three seconds. */
const hostPatienceMs = 1000

/** Log lines after the restart of a host: the parts that work again. */
const afterRestart = {
  'cloud-host.ts': 'the Upstash API, SQS and S3, with their messages and pages. Injected faults of these have ended.',
  'environment-host.ts': 'an environment of `reserve`. The call that it was answering has failed.',
  'functions-host.ts': 'the functions. Calls that it was answering have failed; pages repeat theirs.',
  'workers-host.ts': 'the consumers and the schedule. Messages that it was working on come again after about a minute.',
} as const
type HostFile = keyof typeof afterRestart

/** Starts the hosts, the Redis servers and DynamoDB, and loads the key pair and the edge's bundles. */
export async function startPrograms(
  options: {
    dataDir: string | undefined
    databases: number
    environments: number
    edgeDelayMs: number
    lowerPriority: boolean
    inspected: Inspected | undefined
    logs: Logs
    log: (line: string) => void
    restarts: Restarts
  },
  stopLater: StopLater,
) {
  const { dataDir, databases: count, environments: environmentCount, edgeDelayMs, lowerPriority } = options
  const { inspected, logs, log, restarts } = options
  if (inspected === 'gate') openInspector(`${dist}/edge`)
  // Node takes longer to start than the programs do, so the hosts start first and get their
  // settings later.
  const start = (entry: HostFile, output: number) => {
    const ended = (why: string, again: () => Promise<void>) => {
      const losesData = entry === 'cloud-host.ts' && dataDir === undefined
      const startAgain = async () => {
        await again()
        return afterRestart[entry]
      }
      restarts.ended(entry, why, losesData ? null : startAgain)
    }
    return startHost(entry, output, ended, (why) => log(`${entry} cannot write its log in ${logs.dir}: ${why}`))
  }
  const cloud = start('cloud-host.ts', logs.file('cloud'))
  const functions = start('functions-host.ts', logs.file('functions'))
  const workers = start('workers-host.ts', logs.file('workers'))
  const environments = Array.from({ length: environmentCount }, (_, number) =>
    start('environment-host.ts', logs.file(`reserve-${number + 1}`)),
  )
  const store = createKeyValueStore({
    now: Date.now,
    maxDelayMs: edgeDelayMs,
    ...(dataDir && { file: join(dataDir, 'key-value-store.json') }),
  })
  const location = store.location(edgeDelayMs)
  const tableEnded = (why: string, again: StartAgain | null) => restarts.ended('DynamoDB', why, again)
  const starting = [
    startKeyValueApi(store).then(stopLater),
    startDatabases({ count, ...(dataDir && { dataDir }), log, ended: restarts.ended }).then(stopLater),
    startDynamoDb({ ...(dataDir && { dataDir }), lowerPriority, ended: tableEnded }).then(stopLater),
    createIdentity(dataDir && join(dataDir, 'identity.json')),
    loadPreGate(dist, location),
    loadEdgeFunction(dist),
    loadSiteFunction(dist, location),
    loadClock(dist),
  ] as const
  // Wait for all before an error is thrown, or a late part would keep running.
  await Promise.allSettled(starting)
  stopLater({ stop: () => cloud.stop(hostPatienceMs) })
  stopLater({ stop: () => workers.stop(hostPatienceMs) })
  stopLater({ stop: () => functions.stop(hostPatienceMs) })
  for (const one of environments) stopLater({ stop: () => one.stop(hostPatienceMs) })
  const [edgeStore, databases, dynamoDb, identity, preGate, edge, pathOf, clock] = await Promise.all(starting)
  const edgeClock = openEdgeClock()
  const bundles = { preGate: edgeClock.preGate(preGate), edge: edgeClock.gate(edge), pathOf, clock }
  const parts = { cloud, functions, environments, workers, databases, dynamoDb, identity, bundles }
  return { ...parts, edgeStoreUrl: edgeStore.url, edgeClock }
}

export function createSecrets() {
  return {
    gate: secret(),
    reader: secret(),
    writer: secret(),
    signing: secret(),
    challenge: secret(),
    signInClient: secret(),
    cookie: randomBytes(32).toString('base64'),
    checkoutKey: privateNumber(),
    shopKey: `till.${randomBytes(shopKeyBytes).toString('base64url')}`,
  }
}

/** Returns the private number of a new ES256 key, in base64url. */
function privateNumber(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return String(privateKey.export({ format: 'jwk' }).d)
}

/** Starts the Upstash APIs, SQS and S3 in the cloud host, and creates the table and the site. */
export function startServices(
  { cloud, databases, dynamoDb }: Programs,
  secrets: StackSecrets,
  options: PartOptions,
): Promise<CloudAddresses> {
  const settings: CloudSettings = {
    databases: databases.list.map(({ name, port }) => ({ name, port, token: secret() })),
    dynamoDb: { endpoint: dynamoDb.endpoint, host: dynamoDb.host, port: dynamoDb.port },
    gateToken: secrets.gate,
    readerToken: secrets.reader,
    writerToken: secrets.writer,
    checkScriptKeys: options.checkScriptKeys ?? true,
    faults: options.faults ?? true,
    ...(options.dataDir && { dataDir: join(options.dataDir, 'aws') }),
    siteDirs: [join(dist, 'site'), join(dist, 'local')],
    visibilitySeconds: options.visibilitySeconds ?? visibilitySeconds,
    streams: options.mail === true || options.optionFunctions === true,
  }
  return cloud.start(settings, cloudAddresses)
}

/** Derives secrets from the key that is stored with the table, so that they survive a restart. */
const secretsFrom =
  ({ d }: SigningKey): SecretOf =>
  (purpose, bytes) =>
    new Uint8Array(hkdfSync('sha256', d, '', purpose, bytes))

const servicesOfOptions: readonly LocalService[] = joined(workbench, 'services')

/**
 * Starts the payment provider, the functions behind their URLs, and the consumers of the queues.
 */
export async function startFunctions(
  { functions, environments, workers, edgeStoreUrl, identity, dynamoDb }: Programs,
  shop: {
    addresses: CloudAddresses
    secrets: StackSecrets
    url: string
    options: PartOptions
  },
  stopLater: StopLater,
): Promise<{
  payments: LocalPaymentProvider
  urls: FunctionsAddresses['urls']
  /** URLs of the environments of `reserve`; empty when all functions share a process. */
  reserveUrls: readonly string[]
  faults: OwnFaults | undefined
}> {
  const { addresses, secrets, url, options } = shop
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
  const apiKey = secret()
  const webhookUrl = `${url}/api/payments/webhook`
  const provider = options.payments ?? 'simulated'
  const access = { provider, apiKey, webhookSecret, shopUrl: url }
  const payments = stopLater(startPaymentProvider({ ...access, webhookUrl, callsPerSecond: 25 }))
  const provided = { payments: await providerUrl(provider, url, payments, stopLater), mail: url + sesPrefix }
  const { faults, called } = await startOwnProxies(
    { ...provided, 'edge-store': edgeStoreUrl },
    options.faults,
    stopLater,
  )
  const payment = { ...access, url: called.payments }
  const { scheduled = true, woken = scheduled } = options
  const stock = addresses.databases.map(({ name, url, token }) => ({ name, url, token, commandsPerSecond }))
  const redisSecret = JSON.stringify({ stockDatabases: JSON.stringify(stock) })
  const secretOf = secretsFrom(identity.privateKey)
  const ofOptions: Record<string, string> = {}
  for (const start of servicesOfOptions) Object.assign(ofOptions, stopLater(await start(secretOf)).environment)
  const secretsManager = stopLater(await startSecretsManager(new Map([[resources.redisSecret, redisSecret]])))
  const redis = { secretsUrl: secretsManager.url, gateToken: secrets.gate }
  const signIn = {
    issuer: issuerUrl(url),
    client: signInClient(secrets),
    sessionKey: identity.privateKey,
    cookieKey: secrets.cookie,
  }
  const personal = { key: Buffer.from(secretOf('personal data', 32)).toString('base64'), sesEndpoint: called.mail }
  const environment = {
    ...functionEnvironment(addresses, { redis, payment, edgeStoreUrl: called['edge-store'], signIn, personal }),
    ...valueEnvironment(secrets.shopKey, secrets.checkoutKey),
    ...(options.mail && { SENDS_MAILS: 'yes' }),
    ...ofOptions,
  }
  const { queues } = addresses
  const { inspected } = options
  const serving: FunctionsSettings = { dist, environment, inspected, signingSecret: secrets.signing }
  const working: WorkersSettings = {
    ...{ dist, environment, inspected },
    orders: queues.orders.queue,
    deadlines: queues.deadlines.queue,
    scheduled,
    lowerPriority: options.lowerPriority ?? false,
    ...{ woken, waking: addresses.waking },
    stream: { endpoint: dynamoDb.endpoint, table: resources.table },
    readers: { mail: options.mail === true, options: options.optionFunctions === true },
  }
  const [{ urls }, reserve] = await Promise.all([
    functions.start(serving, functionsAddresses),
    Promise.all(environments.map((one) => one.start(serving, environmentAddress))),
    workers.start(working, z.null()),
  ])
  return { payments, urls, reserveUrls: reserve.map(({ url }) => url), faults }
}

type OwnFaults = Record<MainProcessTarget, FaultyConnection>

/** Returns the addresses of the services of this process: behind fault proxies, unless `wanted` is false. */
async function startOwnProxies(
  urls: Record<MainProcessTarget, string>,
  wanted: boolean | undefined,
  stopLater: StopLater,
): Promise<{ called: Record<MainProcessTarget, string>; faults: OwnFaults | undefined }> {
  if (wanted === false) return { called: urls, faults: undefined }
  const proxyOf = async (url: string) => stopLater(await startFaultProxy({ targetPort: portOf(url) }))
  const faults = {
    'edge-store': await proxyOf(urls['edge-store']),
    mail: await proxyOf(urls.mail),
    payments: await proxyOf(urls.payments),
  }
  const through = (target: MainProcessTarget) => Object.assign(new URL(urls[target]), { port: faults[target].port })
  const called = {
    'edge-store': through('edge-store').origin,
    mail: through('mail').href,
    payments: through('payments').href,
  }
  return { called, faults }
}

/** Returns the shop's client id and secret at the local issuer. */
export const signInClient = ({ signInClient: secret }: StackSecrets) => ({ id: 'sluice', secret })

/** Returns the URL of the provider's API. Stripe's client calls `/v1/…`, so its emulation has a separate server. */
async function providerUrl(
  provider: ProviderName,
  shopUrl: string,
  payments: LocalPaymentProvider,
  stopLater: StopLater,
): Promise<string> {
  if (provider === 'simulated') return `${shopUrl}/local/payment`
  const server = createServer(async (request, response) => {
    if (!(await payments.routes(request, response))) response.writeHead(404).end()
  })
  return stopLater(await listen(server, 0)).url
}

const secret = () => randomBytes(24).toString('base64url')

/** Log files of the other processes, which keep the terminal readable. */
type Logs = {
  dir: string
  /** Opens a file for the output of one process, and returns its descriptor. */
  file(name: string): number
  /** Closes the files, and removes them unless they are in the data folder. */
  stop(): Promise<void>
}

/** Opens logs below `dataDir`, or in a temporary folder that is removed with the stack. */
export async function openLogs(dataDir: string | undefined): Promise<Logs> {
  const dir = dataDir === undefined ? temporaryFolder() : join(dataDir, 'logs')
  await mkdir(dir, { recursive: true })
  const open: number[] = []
  return {
    dir,
    file(name) {
      const file = openSync(join(dir, `${name}.log`), 'w')
      open.push(file)
      return file
    },
    async stop() {
      for (const file of open.splice(0)) closeSync(file)
      if (dataDir === undefined) await rm(dir, { recursive: true, force: true })
    },
  }
}
