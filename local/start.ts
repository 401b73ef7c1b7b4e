/** `npm start`: builds and starts everything on this machine, prints the addresses, and stops cleanly on Ctrl-C. */

import { Command, Option } from 'commander'
import { buildIfChanged } from '../build.ts'
import { clearRunning, recordRunning } from '../cli/running.ts'
import { wholeNumberParser } from '../cli/whole-number.ts'
import { mergedOf } from '../core/lib/fold.ts'
import { maxDatabases } from '../core/stock/database.ts'
import { type ProviderName, providerNames } from '../functions/orders/payments/choose.ts'
import { workbench } from '../options/registry/workbench.ts'
import { demoSales } from './demo.ts'
import { PortTaken } from './listen.ts'
import { mailboxPath } from './mail/mailbox.ts'
import { inspectorPort } from './process/inspector.ts'
import { findRedisOnce } from './redis/redis-server.ts'
import type { LocalPart } from './seams.ts'
import { type Stack, startStack } from './stack.ts'
import { type Inspected, inspectable } from './stack-parts.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Long enough to show that pages do not depend on it, short enough not to be noticed. */
const defaultEdgeDelayMs = 500

type Options = {
  port: number
  demo: boolean
  data?: string
  databases: number
  edgeDelay: number
  payments: ProviderName
  inspect?: Inspected
}

const options = new Command('npm start --')
  .description('Build the system, and run all of it on this machine.')
  .option('--port <n>', 'the port of the shop', wholeNumberParser(0, 65_535), 8787)
  .option('--no-demo', 'start without demo sales')
  .option('--data <dir>', 'keep sales, orders and sign-ins there (default: everything is deleted on exit)')
  .option(
    '--databases <n>',
    `keep the stock in so many databases, 1 to ${maxDatabases}, each a Redis server of its own`,
    wholeNumberParser(1, maxDatabases),
    1,
  )
  .option(
    '--edge-delay <ms>',
    'let changes reach the CloudFront Functions so much later; in the cloud some seconds',
    wholeNumberParser(0, 60_000),
    defaultEdgeDelayMs,
  )
  .addOption(
    new Option('--payments <name>', 'pay by the API of this provider, simulated here')
      .choices(providerNames)
      .default('simulated'),
  )
  .addOption(
    new Option('--inspect <function>', `debug this function: Node's inspector on port ${inspectorPort}`).choices(
      inspectable,
    ),
  )
  .addHelpText('after', '\nSet REDIS_SERVER_BIN or DYNAMODB_ENDPOINT to use your own.')
  .showHelpAfterError()
  .parse()
  .opts<Options>()

async function main(): Promise<void> {
  let stack: Stack | undefined
  let ending = false
  const end = (code: number): void => {
    // A second Ctrl-C, or one during the start, exits at once. The parts detect it and end by themselves.
    if (ending || stack === undefined) process.exit(code === 0 ? 130 : code)
    ending = true
    console.log('\nStopping …')
    Promise.all([stack.stop(), clearRunning()]).then(
      () => process.exit(code),
      (failure: unknown) => {
        console.error(failure)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))

  const startedAt = performance.now()
  const ready = (part: string) => console.log(line(part, performance.now() - startedAt))
  await Promise.all([buildIfChanged(), findRedisOnce(console.log)])
  ready('bundles and pages built')
  stack = await startStack({
    port: options.port,
    demo: options.demo,
    checkScriptKeys: false,
    lowerPriority: true,
    // A data folder lets a part that ends by itself restart with its data, as in the cloud.
    dataDir: options.data ?? temporaryFolder(),
    databases: options.databases,
    edgeDelayMs: options.edgeDelay,
    payments: options.payments,
    mail: true,
    optionFunctions: true,
    ...(options.inspect && { inspected: options.inspect }),
    registersParts: true,
    progress: ready,
    died: () => end(1),
  })
  await recordRunning(stack.url)
  console.log(welcome(stack, performance.now() - startedAt))
}

function line(part: string, ms: number): string {
  return `  ${String(Math.round(ms)).padStart(6)} ms  ${part}`
}

const paymentTexts: Readonly<Record<ProviderName, string>> = {
  simulated: 'a simulated provider, no money moves (--payments stripe for a local Stripe)',
  stripe: 'a local Stripe, no money moves',
}

function welcome({ url, logDir, shopKey }: Stack, ms: number): string {
  const { demo, data, databases, payments, inspect } = options
  const signIn = (as: string, role: string, page: string) =>
    `${url}/sign-in/?as=${as}&role=${role}&return=${encodeURIComponent(page)}`
  const ofOptions = Object.values<LocalPart>(mergedOf(workbench, 'parts'))
    .map(({ title, path, note }) => `\n  ${title.padEnd(9)} ${url}${path}   (${note})`)
    .join('')
  const notes = demoSales.flatMap(({ note }) => (note === undefined ? [] : [`${note}, `])).join('')
  return `
Sluice is ready in ${(ms / 1000).toFixed(1)} s.

  Shop      ${url}/
  Console   ${url}/console/
  Mailbox   ${url}${mailboxPath}${ofOptions}

  Sign in as a shopper    ${signIn('ann', 'shopper', '/')}
  Sign in as a marketer   ${signIn('mia', 'marketer', '/console/')}
  Redeem coupons and confirm orders with the shop key ${shopKey}

  ${demo ? `Demo sales are in the shop: two are open, red packets and a lamp start by themselves within\n  a minute and a half, ${notes}and one waits for you to start it in the console.` : 'There are no demo sales: create the first one in the console.'}
  ${data === undefined ? 'Everything is deleted when you stop. Use --data DIR to keep it.' : `Data is kept in ${data}.`}
  Payments: ${paymentTexts[payments]}
  Logs of the parts: ${logDir}${inspect === undefined ? '' : `\n  Inspector of ${inspect}: 127.0.0.1:${inspectorPort} (docs/guide/architecture.md)`}
  For the commands in docs/: export SLUICE_URL=${url} SLUICE_LOGS=${logDir}${databases === 1 ? '' : `\n  The stock is in ${databases} databases: main, db-2 and so on. Their addresses: ${url}/local/health`}

Ctrl-C stops everything.`
}

main().catch((failure: unknown) => {
  if (failure instanceof PortTaken) console.error(failure.message)
  else console.error(failure)
  process.exit(1)
})
