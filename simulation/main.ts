/**
 * `npm run faults`: many small sales with faults at every step, and the question whether every invariant still holds.
 * Starts a Redis of its own and nothing else. Exit code 1 when an invariant broke.
 */
import { Command, InvalidArgumentError, Option } from 'commander'
import { startStep } from '../cli/progress.ts'
import { type SaleKind, saleKinds } from '../core/sale.ts'
import { usualSales } from './options.ts'
import { playFaults } from './play.ts'

const whole = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('a whole number')
  return value
}

const flags = new Command('faults')
  .description('Play many small sales with faults at every step, and check what must always hold.')
  .option('--sales <n>', 'how many', whole, usualSales)
  .option('--seed <n>', 'all chance follows from it (default: from the clock)', whole)
  .addOption(new Option('--kind <kind>', 'sells nothing else').choices(saleKinds))
  .option('--only <sale>', 'plays this sale alone, exactly as it was', whole)
  .parse()
  .opts<{ sales: number; seed?: number; kind?: SaleKind; only?: number }>()

const seed = flags.seed ?? Date.now() % 1_000_000
const isHeld = await playFaults({ sales: flags.sales, seed, only: flags.only, kind: flags.kind, startStep })
process.exitCode = isHeld ? 0 : 1
