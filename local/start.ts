/**
 * `npm start`: builds, starts everything on this machine, prints its addresses, and ends cleanly on
 * Ctrl-C.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfChanged } from '../build.ts'
import { forgetRunning, noteRunning } from '../cli/running.ts'
import { maxDatabases } from '../core/stock/database.ts'
import { type ProviderName, providerNames } from '../functions/orders/payments/choose.ts'
import { PortTaken } from './listen.ts'
import { mailboxPath } from './mail/mailbox.ts'
import { receiverPath } from './receiver/receiver.ts'
import { findRedisOnce } from './redis/redis-server.ts'
import { type Stack, startStack } from './stack.ts'

/** Long enough to show that pages do not depend on it, short enough not to be waited for. */
const defaultEdgeDelayMs = 500

const usage = `npm start -- [--port 8787] [--no-demo] [--data DIR] [--table-latency MS]
             [--databases N] [--commands-per-second N] [--edge-delay MS] [--payments NAME]
             [--event-bus]

  --port N     the port of the shop (default 8787)
  --no-demo    start without demo sales
  --data DIR   keep sales, orders and sign-ins in DIR (default: everything is deleted on exit)
  --table-latency MS
               answer from DynamoDB after MS milliseconds at least, and cancel overlapping
               transactions as in the cloud (default: they wait for each other)
  --databases N
               keep the stock in N databases, 1 to ${maxDatabases}, each a Redis server of its own (default 1)
  --commands-per-second N
               make requests above N commands per second wait, in each database, as Upstash does
               (default: no limit)
  --edge-delay MS
               let changes reach the CloudFront Functions MS milliseconds later (default ${defaultEdgeDelayMs};
               in the cloud some seconds)

  --payments NAME
               pay by the API of this provider, simulated here: simulated or stripe (default simulated)
  --event-bus  put events on a bus of EventBridge as well, simulated by the receiver page

  Set REDIS_URL (one database only), REDIS_SERVER_BIN or DYNAMODB_ENDPOINT to use your own.`

type Options = {
  port: number
  demo: boolean
  dataDir: string | undefined
  tableLatencyMs: number | undefined
  databases: number
  commandsPerSecond: number | undefined
  edgeDelayMs: number
  payments: ProviderName
  eventBus: boolean
}

class UsageError extends Error {}

function readOptions(args: string[]): Options | 'help' {
  let values: {
    port?: string
    demo?: boolean
    data?: string
    'table-latency'?: string
    databases?: string
    'commands-per-second'?: string
    'edge-delay'?: string
    payments?: string
    'event-bus'?: boolean
    help?: boolean
  }
  try {
    const options = {
      port: { type: 'string' },
      demo: { type: 'boolean' },
      data: { type: 'string' },
      'table-latency': { type: 'string' },
      databases: { type: 'string' },
      'commands-per-second': { type: 'string' },
      'edge-delay': { type: 'string' },
      payments: { type: 'string' },
      'event-bus': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const
    values = parseArgs({ args, options, allowNegative: true }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
  if (values.help) return 'help'
  return {
    port: whole(values.port, 0, 65_535, '--port must be 0 to 65535.') ?? 8787,
    demo: values.demo ?? true,
    dataDir: values.data,
    tableLatencyMs: whole(
      values['table-latency'],
      0,
      Number.MAX_SAFE_INTEGER,
      '--table-latency must be milliseconds, 0 or more.',
    ),
    databases: whole(values.databases, 1, maxDatabases, `--databases must be 1 to ${maxDatabases}.`) ?? 1,
    commandsPerSecond: whole(
      values['commands-per-second'],
      1,
      10_000_000,
      '--commands-per-second must be 1 to 10000000.',
    ),
    edgeDelayMs: whole(values['edge-delay'], 0, 60_000, '--edge-delay must be 0 to 60000.') ?? defaultEdgeDelayMs,
    payments: providerOf(values.payments ?? 'simulated'),
    eventBus: values['event-bus'] ?? false,
  }
}

/** @throws UsageError for another name */
function providerOf(text: string): ProviderName {
  const name = providerNames.find((one) => one === text)
  if (name === undefined) throw new UsageError(`--payments must be ${providerNames.join(' or ')}.`)
  return name
}

/** @throws UsageError with `refusal` for what is not a whole number from `min` to `max` */
function whole(text: string | undefined, min: number, max: number, refusal: string): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < min || value > max) throw new UsageError(refusal)
  return value
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') return console.log(usage)
  let stack: Stack | undefined
  let ending = false
  const end = (code: number): void => {
    // A second Ctrl-C, or one before the start is complete: exit now. The parts detect it and end
    // by themselves.
    if (ending || stack === undefined) process.exit(code === 0 ? 130 : code)
    ending = true
    console.log('\nStopping …')
    Promise.all([stack.stop(), forgetRunning()]).then(
      () => process.exit(code),
      (failure: unknown) => {
        console.error(failure)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', () => end(0))
  process.on('SIGTERM', () => end(0))

  const startedAt = performance.now()
  const ready = (part: string) => console.log(line(part, performance.now() - startedAt))
  const hasRedis = process.env.REDIS_URL !== undefined
  await Promise.all([buildIfChanged(), hasRedis ? undefined : findRedisOnce(console.log)])
  ready('bundles and pages built')
  stack = await startStack({
    port: options.port,
    demo: options.demo,
    checkScriptKeys: false,
    lowerPriority: true,
    dataDir: options.dataDir ?? temporaryFolder(),
    ...(options.tableLatencyMs !== undefined && { tableLatencyMs: options.tableLatencyMs }),
    databases: options.databases,
    edgeDelayMs: options.edgeDelayMs,
    payments: options.payments,
    mail: true,
    events: true,
    eventBus: options.eventBus,
    receivesEvents: true,
    ...(options.commandsPerSecond !== undefined && { commandsPerSecond: options.commandsPerSecond }),
    progress: ready,
    died: () => end(1),
  })
  await noteRunning(stack.url)
  console.log(welcome(stack, options, performance.now() - startedAt))
}

/**
 * A folder for the data until this process exits: a part that ends by itself is started again with its data, as in the
 * cloud.
 */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

function line(part: string, ms: number): string {
  return `  ${String(Math.round(ms)).padStart(6)} ms  ${part}`
}

const paymentsAre: Readonly<Record<ProviderName, string>> = {
  simulated: 'a simulated provider, no money moves (--payments stripe for a local Stripe)',
  stripe: 'a local Stripe, no money moves',
}

function welcome({ url, logDir, shopKey }: Stack, options: Options, ms: number): string {
  const { demo, dataDir, databases, payments } = options
  const signIn = (as: string, role: string, page: string) =>
    `${url}/sign-in/?as=${as}&role=${role}&return=${encodeURIComponent(page)}`
  return `
Sluice is ready in ${(ms / 1000).toFixed(1)} s.

  Shop      ${url}/
  Console   ${url}/console/
  Mailbox   ${url}${mailboxPath}
  Receiver  ${url}${receiverPath}   (events to a system of your own)

  Sign in as a shopper    ${signIn('ann', 'shopper', '/')}
  Sign in as a marketer   ${signIn('mia', 'marketer', '/console/')}
  Redeem coupons and confirm orders with the shop key ${shopKey}

  ${demo ? 'Six demo sales are in the shop: two are open, red packets and a lamp start by themselves within\n  a minute and a half, a draw takes entries for two minutes, and one waits for you to start it in the console.' : 'There are no demo sales: create the first one in the console.'}
  ${dataDir === undefined ? 'Everything is deleted when you stop. Use --data DIR to keep it.' : `Data is kept in ${dataDir}.`}
  Payments: ${paymentsAre[payments]}
  Logs of the parts: ${logDir}
  For the commands in docs/: export SLUICE_URL=${url} SLUICE_LOGS=${logDir}${databases === 1 ? '' : `\n  The stock is in ${databases} databases: main, db-2 and so on. Their addresses: ${url}/local/health`}

Ctrl-C stops everything.`
}

main().catch((failure: unknown) => {
  if (failure instanceof UsageError) console.error(`${failure.message}\n\n${usage}`)
  else if (failure instanceof PortTaken) console.error(failure.message)
  else console.error(failure)
  process.exit(1)
})
