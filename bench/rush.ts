/**
 * `npm run rush`: one sale, a crowd, and the question whether every invariant still holds. Starts a system of
 * its own unless `--url` names a running one. With `--faults` it plays many small sales in a simulation instead, where
 * any step may fail, with `--swarm` a sale before people and bots. Exit code 1 when an invariant broke.
 */
import { Command, InvalidArgumentError } from 'commander'
import { build } from '../build.ts'
import { parse } from '../core/parse.ts'
import { type Fault, faultRequest } from '../local/faults.ts'
import { type Stack, startStack } from '../local/stack.ts'
import { usualSales } from './faults/options.ts'
import { playFaults } from './faults/play.ts'
import { startStep } from './progress.ts'
import type { RushOptions } from './rush/options.ts'
import { playRush } from './rush/play.ts'
import { reportLines } from './rush/report.ts'
import { playSwarm } from './swarm/play.ts'
import { openSystem } from './system.ts'

type Flags = {
  shoppers?: number
  stock?: number
  quantity: number
  limit?: number
  concurrency: number
  patience: number
  settle: number
  seed?: number
  fault?: Fault
  url?: string
  json?: true
  faults?: true
  sales: number
  only?: number
  swarm?: true
}

const whole = (min: number) => (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min)
    throw new InvalidArgumentError(`a whole number from ${min}`)
  return value
}

/** `sqs:down:5000`: target, mode and milliseconds; a rate between 0 and 1 may follow. */
function readFault(text: string): Fault {
  const [target, mode, forMs, rate] = text.split(':')
  if (target === undefined || mode === undefined || forMs === undefined) {
    throw new InvalidArgumentError('target:mode:milliseconds, such as sqs:down:5000')
  }
  const fault = parse(faultRequest, {
    target,
    mode,
    forMs: whole(1)(forMs),
    ...(rate === undefined ? {} : { rate: Number(rate) }),
  })
  if (!fault.ok) throw new InvalidArgumentError(fault.detail)
  return fault.value
}

const flags = new Command('rush')
  .description('Play one sale under load and check that nothing was oversold, lost or stranded.')
  .option('--shoppers <n>', 'how many people click (default: 5000)', whole(1))
  .option('--stock <n>', 'units on sale, -1 for unlimited (default: 100)', whole(-1))
  .option('--quantity <n>', 'units each of them wants', whole(1), 1)
  .option('--limit <n>', 'most units for one shopper (default: the quantity)', whole(1))
  .option('--concurrency <n>', 'requests on their way at once', whole(1), 64)
  .option('--patience <seconds>', 'how long a shopper asks again', whole(1), 60)
  .option('--settle <seconds>', 'how long orders may take afterwards', whole(1), 150)
  .option(
    '--fault <target:mode:ms[:rate]>',
    'break a part when the doors open, such as sqs:down:5000',
    readFault,
  )
  .option('--seed <n>', 'order of arrival and waiting times (default: from the clock)', whole(0))
  .option('--url <url>', 'a running local system (default: start one)')
  .option('--json', 'print the result as JSON')
  .option(
    '--faults',
    'play small sales with faults at every step instead (only --sales, --seed, --only apply)',
  )
  .option('--sales <n>', 'how many, with --faults', whole(1), usualSales)
  .option(
    '--swarm',
    'play before people and ten bots for each, with every layer off and on (--shoppers are the people: default 200)',
  )
  .option('--only <sale>', 'plays this one again, with --faults and its --seed', whole(1))
  .parse()
  .opts<Flags>()

const seed = flags.seed ?? Date.now() % 1_000_000

if (flags.faults) {
  const isHeld = await playFaults({ sales: flags.sales, seed, only: flags.only, startStep })
  process.exitCode = isHeld ? 0 : 1
} else if (flags.swarm) {
  await build()
  const { text, isReached } = await playSwarm({
    people: flags.shoppers ?? 200,
    stock: flags.stock ?? 100,
    seed,
    startStep,
  })
  console.log(text)
  process.exitCode = isReached ? 0 : 1
} else {
  process.exitCode = (await rush()) ? 0 : 1
}

/** True when every invariant held. */
async function rush(): Promise<boolean> {
  const options: RushOptions = {
    shoppers: flags.shoppers ?? 5000,
    stock: flags.stock ?? 100,
    quantity: flags.quantity,
    limitPerShopper: flags.limit ?? flags.quantity,
    concurrency: flags.concurrency,
    seed,
    patienceMs: flags.patience * 1000,
    settleMs: flags.settle * 1000,
    fault: flags.fault,
    startStep,
  }
  const own = flags.url === undefined ? await startOwn() : undefined
  try {
    const system = await openSystem(flags.url ?? `http://127.0.0.1:${own?.port}`)
    const result = await playRush(system, options)
    system.close()
    console.log(flags.json ? JSON.stringify(result, null, 2) : reportLines(result))
    return result.verdict.violations.length === 0
  } finally {
    await own?.stop()
  }
}

async function startOwn(): Promise<Stack> {
  await build()
  return startStack({ port: 0, demo: false })
}
