/** The command line of `npm run rush`: its options and their parsers. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { wholeNumber } from '../../cli/whole-number.ts'
import { parse } from '../../core/lib/parse.ts'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import { type Fault, faultRequest } from '../../local/faults/faults.ts'
import { modes } from './modes-of-options.ts'

export type RushFlags = {
  kind: SaleKind
  shoppers?: number
  stock?: number
  quantity?: number
  limit?: number
  variants?: number
  shards?: number
  oneShard?: true
  kill?: string
  /** Or `all`. */
  mode?: string
  total?: number
  concurrency: number
  patience: number
  settle?: number
  seed?: number
  fault?: Fault
  swarm?: true
}

/**
 * `sqs:down:5000`: target, mode and milliseconds; a rate between 0 and 1 may follow. `redis/db-2`
 * is a database of the stock besides the first.
 */
function readFault(text: string): Fault {
  const [connection, mode, forMs, rate] = text.split(':')
  const [target, database] = connection?.split('/') ?? []
  if (target === undefined || mode === undefined || forMs === undefined) {
    throw new InvalidArgumentError('target:mode:milliseconds, such as sqs:down:5000')
  }
  const fault = parse(faultRequest, {
    target,
    ...(database === undefined ? {} : { database }),
    mode,
    forMs: wholeNumber(1)(forMs),
    ...(rate === undefined ? {} : { rate: Number(rate) }),
  })
  if (!fault.ok) throw new InvalidArgumentError(fault.detail)
  return fault.value
}

export function rushCommand(): Command {
  return new Command('rush')
    .description('Run one sale under load and check that nothing was oversold, lost or stranded.')
    .addOption(new Option('--kind <kind>', 'what the sale hands out').choices([...saleKinds]).default('goods'))
    .addOption(
      new Option(
        '--mode <mode>',
        'how a sale of goods gives its units away, to shoppers near and far, bots and people with several accounts; all compares them (--shoppers: default 1000)',
      ).choices([...modes, 'all']),
    )
    .option('--shoppers <n>', 'number of shoppers (default: 5000)', wholeNumber(1))
    .option(
      '--stock <n>',
      'units on sale, -1 for unlimited; for red packets their number (default: 100)',
      wholeNumber(-1),
    )
    .option('--quantity <n>', 'units each shopper asks for (default: 1; not for red packets)', wholeNumber(1))
    .option('--limit <n>', 'most units for one shopper (default: the quantity; not for red packets)', wholeNumber(1))
    .option(
      '--variants <n>',
      'variants that the stock of goods is divided among; every second unit is asked of the first (default: none)',
      wholeNumber(2),
    )
    .option('--shards <n>', 'databases that the stock is split over (default: 1)', wholeNumber(1))
    .option('--one-shard', 'let all shoppers have the same home shard, with --shards')
    .option(
      '--kill <database>',
      'end this database for good at the start of the sale, such as db-2; the sale is recovered 5 s later (with --shards)',
    )
    .option('--total <minor units>', 'total amount of all red packets (default: 100 for each packet)', wholeNumber(1))
    .option('--concurrency <n>', 'requests in flight at once', wholeNumber(1), 64)
    .option('--patience <seconds>', 'how long a shopper retries', wholeNumber(1), 60)
    .option(
      '--settle <seconds>',
      'how long orders or credits may take afterwards (default: 150; with --kill 240, because units are held back for 90 s)',
      wholeNumber(1),
    )
    .option(
      '--fault <target:mode:ms[:rate]>',
      'break a part at the start of the sale, such as sqs:down:5000',
      readFault,
    )
    .option('--seed <n>', 'seed of arrival order and waiting times (default: from the clock)', wholeNumber(0))
    .option(
      '--swarm',
      'run with people and ten bots for each, with every layer off and on (--shoppers are the people: default 200)',
    )
}
