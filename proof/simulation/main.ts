/**
 * `npm run faults`: simulates many small sales with faults at every step and checks every invariant. It starts only a
 * Redis, and exits with 1 when an invariant is violated.
 */
import { Command, Option } from 'commander'
import { startStep } from '../../cli/progress.ts'
import { wholeNumberParser } from '../../cli/whole-number.ts'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import { startRealRedis } from './parts/redis.ts'
import { faultReport } from './report.ts'
import { allOptions } from './simulate-sale.ts'
import { simulateSales } from './simulate-sales.ts'

/** Enough for tens of thousands of faults in two minutes on two processors. */
const usualSales = 600

const whole = wholeNumberParser(0)

/** Without flags the seed draws kind, shards, variants and option of each sale; each option has a flag of its name. */
type Flags = {
  sales: number
  seed?: number
  kind?: SaleKind
  split?: true
  variants?: true
  only?: number
}

const command = new Command('faults')
  .description('Simulate many small sales with faults at every step, and check every invariant.')
  .option('--sales <n>', 'number of sales', whole, usualSales)
  .option('--seed <n>', 'seed of all random choices (default: from the clock)', whole)
  .addOption(new Option('--kind <kind>', 'simulate this kind only').choices(saleKinds))
  .option('--split', 'split the stock of every sale of goods or coupons')
  .addOption(new Option('--variants', 'give every sale of goods variants, and split none without --split'))
  .option('--only <sale>', 'repeat this sale alone, exactly as it was', whole)
for (const { name, flag } of allOptions) command.option(`--${name}`, flag)
const flags = command.parse().opts<Flags & Record<string, unknown>>()
const { seed = Date.now() % 1_000_000, sales, only, kind, split, variants } = flags
const option = allOptions.find(({ name }) => flags[name])?.name

const [from, to] = only === undefined ? [1, sales] : [only, only]
const redis = await startRealRedis()
const step = startStep('sales', to - from + 1)
const start = performance.now()
try {
  const run = await simulateSales(redis, {
    ...{ seed, from, to },
    ...(kind && { kind }),
    ...(split && { isSplit: split }),
    ...(variants && { hasVariants: variants }),
    ...(option && { option }),
    onSale: ({ number }) => step.to(number - from + 1),
  })
  step.end()
  console.log(faultReport(run, (performance.now() - start) / 1000))
  process.exitCode = run.failed === undefined ? 0 : 1
} finally {
  step.end()
  await redis.stop()
}
