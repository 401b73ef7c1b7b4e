/**
 * `npm run faults`: simulates many small sales with faults at every step and checks every
 * invariant. Starts its own Redis and nothing else. Exit code 1 when an invariant is violated.
 */
import { Command, InvalidArgumentError, Option } from 'commander'
import { startStep } from '../../cli/progress.ts'
import { type SaleKind, saleKinds } from '../../core/sale/settings.ts'
import { usualSales } from './options.ts'
import { runFaults } from './run-faults.ts'

const whole = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('a whole number')
  return value
}

const flags = new Command('faults')
  .description('Simulate many small sales with faults at every step, and check every invariant.')
  .option('--sales <n>', 'number of sales', whole, usualSales)
  .option('--seed <n>', 'seed of all random choices (default: from the clock)', whole)
  .addOption(new Option('--kind <kind>', 'simulate this kind only').choices(saleKinds))
  .option('--split', 'split the stock of every sale of goods or coupons')
  .addOption(new Option('--variants', 'give every sale of goods variants, and split none without --split'))
  .option('--draw', 'draw the units of every sale of goods or coupons, and split none')
  .option('--only <sale>', 'repeat this sale alone, exactly as it was', whole)
  .parse()
  .opts<{ sales: number; seed?: number; kind?: SaleKind; split?: true; variants?: true; draw?: true; only?: number }>()

const seed = flags.seed ?? Date.now() % 1_000_000
const isHeld = await runFaults({ ...flags, seed, only: flags.only, startStep })
process.exitCode = isHeld ? 0 : 1
