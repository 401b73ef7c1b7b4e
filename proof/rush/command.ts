/** The command line of `npm run rush`: its options, their defaults, and what is refused before a system is started. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { StartStep } from '../../cli/progress.ts'
import { wholeNumberParser } from '../../cli/whole-number.ts'
import { parse } from '../../core/lib/parse.ts'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import { saleDefinition } from '../../core/sale/sale.ts'
import { type Fault, faultRequest } from '../../local/faults/faults.ts'
import { databaseNames } from '../../local/redis/databases.ts'
import { rushSale } from './open-sale.ts'
import { modes, rushProduct } from './option-modes.ts'
import type { RushOptions } from './options.ts'

export type RushFlags = {
  kind: SaleKind
  shoppers?: number
  stock: number
  quantity: number
  variants?: number
  shards: number
  oneShard?: true
  kill?: string
  /** A mode, or `all`. */
  mode?: string
  total?: number
  seed?: number
  fault?: Fault
}

/**
 * Parses `sqs:down:5000`: target, mode and milliseconds; a rate between 0 and 1 may follow. `redis/db-2` names another
 * database of the stock than the first.
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
    forMs: wholeNumberParser(1)(forMs),
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
    .option('--shoppers <n>', 'number of shoppers (default: 5000)', wholeNumberParser(1))
    .option('--stock <n>', 'units on sale, -1 for unlimited; for red packets their number', wholeNumberParser(-1), 100)
    .option('--quantity <n>', 'units each shopper asks for, and the maximum for one shopper', wholeNumberParser(1), 1)
    .option(
      '--variants <n>',
      'variants that the stock of goods is divided among; every second unit is asked of the first (default: none)',
      wholeNumberParser(2),
    )
    .option('--shards <n>', 'databases that the stock is split over', wholeNumberParser(1), 1)
    .option('--one-shard', 'let all shoppers have the same home shard, with --shards')
    .option(
      '--kill <database>',
      'end this database for good at the start of the sale, such as db-2; the sale is recovered 5 s later (with --shards)',
    )
    .option(
      '--total <minor units>',
      'total amount of all red packets (default: 100 for each packet)',
      wholeNumberParser(1),
    )
    .option(
      '--fault <target:mode:ms[:rate]>',
      'break a part at the start of the sale, such as sqs:down:5000',
      readFault,
    )
    .option('--seed <n>', 'seed of arrival order and waiting times (default: from the clock)', wholeNumberParser(0))
}

type Given = RushFlags & { seed: number; startStep: StartStep }

/** Units of a lost database are held back until the queue has been empty for 90 s. */
const [usualSettleMs, settleMsForLoss] = [150_000, 240_000]

/** Lower in a mode, because shoppers send more requests there, and bots many. */
const [usualShoppers, usualShoppersOfModes] = [5000, 1000]

/** Returns the options of a rush, or why these flags do not fit together. */
export function planRush(given: Given): { options: RushOptions } | { detail: string } {
  const { kind, stock, quantity, mode, variants, shards, oneShard = false, kill, fault, seed, startStep } = given
  const total = given.total ?? (kind === 'red-packet' ? 100 * stock : undefined)
  const shoppers = given.shoppers ?? (mode === undefined ? usualShoppers : usualShoppersOfModes)
  const options: RushOptions = {
    ...{ kind, stock, quantity, shards, oneShard, shoppers, concurrency: 64, seed, startStep },
    ...{ patienceMs: 60_000, settleMs: kill === undefined ? usualSettleMs : settleMsForLoss, fault, kill },
    ...(total !== undefined && { totalAmount: total }),
    ...(variants !== undefined && { variants }),
    ...(kind === 'goods' && { cancels: true }),
    ...(mode !== undefined && { mode }),
  }
  const detail = faultOfMode(given) ?? faultOfSale(options) ?? faultOfDatabases(given)
  return detail === undefined ? { options } : { detail }
}

/** Returns why the options about databases do not fit together; undefined when they do. */
function faultOfDatabases({ shards, oneShard, kill, fault }: Given): string | undefined {
  const names = databaseNames(shards)
  if (fault?.database !== undefined && !names.includes(fault.database)) {
    return `There is no database ${fault.database}: ${names.join(', ')}.`
  }
  const only = kill === undefined ? oneShard && '--one-shard' : '--kill'
  if (only && shards === 1) return `${only} needs --shards, at least 2.`
  const killable = names.slice(1)
  if (kill === undefined || killable.includes(kill)) return undefined
  return `--kill must be one of ${killable.join(', ')}: ${names[0]} is the store of the gate as well.`
}

/** Returns why a mode does not fit the sale; undefined when it does. */
function faultOfMode({ mode, kind, stock, quantity, variants, kill, fault }: Given): string | undefined {
  const isPlain = kind === 'goods' && stock > 0 && quantity === 1 && (variants ?? kill ?? fault) === undefined
  if (mode === undefined || isPlain) return undefined
  return '--mode compares sales of one unit for each shopper: leave out --kind, --quantity, --variants, --kill, --fault.'
}

/** Returns why the shop would refuse the sale, in one of its modes; undefined when it would not. */
function faultOfSale({ mode, ...options }: RushOptions): string | undefined {
  for (const one of mode === 'all' ? modes : [mode]) {
    const product = rushProduct({ ...options, ...(one !== undefined && { mode: one }) })
    const sale = parse(saleDefinition, rushSale('rush', Date.now(), product))
    if (!sale.ok) return `The shop refuses such a sale: ${sale.detail}.`
  }
  return undefined
}
