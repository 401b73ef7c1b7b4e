/** The command line of `npm run rush`: its options, their defaults, and the kinds of sales that each applies to. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { StartStep } from '../../cli/progress.ts'
import { wholeNumberParser } from '../../cli/whole-number.ts'
import { parse } from '../../core/lib/parse.ts'
import { maxPacketAmount, maxPackets } from '../../core/packets/packets.ts'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import { maxStock } from '../../core/sale/settings.ts'
import { maxVariants } from '../../core/sale/variants.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import { type Fault, faultRequest } from '../../local/faults/faults.ts'
import { databaseNames } from '../../local/redis/databases.ts'
import { modes, optionModes } from './option-modes.ts'
import type { CrowdOptions, PacketRushOptions, RushOptions } from './options.ts'

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
  /** A mode, or `all`. */
  mode?: string
  total?: number
  concurrency: number
  patience: number
  settle?: number
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
    .option(
      '--stock <n>',
      'units on sale, -1 for unlimited; for red packets their number (default: 100)',
      wholeNumberParser(-1),
    )
    .option('--quantity <n>', 'units each shopper asks for (default: 1; not for red packets)', wholeNumberParser(1))
    .option(
      '--limit <n>',
      'maximum units for one shopper (default: the quantity; not for red packets)',
      wholeNumberParser(1),
    )
    .option(
      '--variants <n>',
      'variants that the stock of goods is divided among; every second unit is asked of the first (default: none)',
      wholeNumberParser(2),
    )
    .option('--shards <n>', 'databases that the stock is split over (default: 1)', wholeNumberParser(1))
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
    .option('--concurrency <n>', 'requests in flight at once', wholeNumberParser(1), 64)
    .option('--patience <seconds>', 'how long a shopper retries', wholeNumberParser(1), 60)
    .option(
      '--settle <seconds>',
      'how long orders or credits may take afterwards (default: 150; with --kill 240, because units are held back for 90 s)',
      wholeNumberParser(1),
    )
    .option(
      '--fault <target:mode:ms[:rate]>',
      'break a part at the start of the sale, such as sqs:down:5000',
      readFault,
    )
    .option('--seed <n>', 'seed of arrival order and waiting times (default: from the clock)', wholeNumberParser(0))
}

export type RushPlan =
  | { kind: 'orders'; options: RushOptions }
  /** Runs the same crowd in each mode. */
  | { kind: 'all-modes'; options: RushOptions }
  | { kind: 'packets'; options: PacketRushOptions }
  | { kind: 'refused'; detail: string }

type Given = RushFlags & { seed: number; startStep: StartStep }

/** Units of a lost database are held back until the queue has been empty for 90 s. */
const [usualSettle, settleForLoss] = [150, 240]

const usualStock = 100
const usualShoppers = 5000
/** Lower, because shoppers send more requests in a mode, and bots many. */
const usualShoppersOfModes = 1000
const usualAmount = 100

export function planRush(given: Given): RushPlan {
  const fault = faultOfDatabases(given) ?? faultOfVariants(given) ?? faultOfMode(given)
  if (fault !== undefined) return refused(fault)
  return given.kind === 'red-packet' ? planPackets(given) : planOrders({ ...given, kind: given.kind })
}

/** Returns why the options about databases do not fit together; undefined when they do. */
function faultOfDatabases({ kind, stock, shards = 1, oneShard, kill, fault }: Given): string | undefined {
  const split = shards > 1 ? '--shards' : undefined
  const only = kill === undefined ? oneShard && '--one-shard' : '--kill'
  if (kind === 'red-packet' && split)
    return '--shards does not apply to red packets: a sale of them is in one database.'
  if (split && stock === -1) return '--shards needs a limited stock: an unlimited one is not split.'
  if (only && !split) return `${only} needs --shards, at least 2.`
  if (shards > maxDatabases) return `--shards may be at most ${maxDatabases} on one machine.`
  const names = databaseNames(shards)
  if (fault !== undefined && 'database' in fault && fault.database && !names.includes(fault.database)) {
    return `There is no database ${fault.database}: ${names.join(', ')}.`
  }
  const killable = names.slice(1)
  if (kill === undefined || killable.includes(kill)) return undefined
  return `--kill must be one of ${killable.join(', ')}: ${names[0]} is the store of the gate as well.`
}

/** Returns why the variants do not fit the sale; undefined when they do. */
function faultOfVariants({ kind, variants, stock }: Given): string | undefined {
  if (variants === undefined) return undefined
  if (kind !== 'goods') return `--variants are those of goods; a sale of kind ${kind} has none. Leave it out.`
  if (variants > maxVariants) return `--variants may be at most ${maxVariants}.`
  if (stock === -1) return '--variants needs a limited stock: each variant has a part of it.'
  return undefined
}

/** Returns why a mode does not fit the sale; undefined when it does. */
function faultOfMode(given: Given): string | undefined {
  const { mode, kind, stock = usualStock, quantity = 1, limit = 1, variants, kill, fault } = given
  if (mode === undefined) return undefined
  if (kind !== 'goods' || variants !== undefined)
    return '--mode is for goods without variants: leave out --kind and --variants.'
  if (quantity !== 1 || limit !== 1) return '--mode gives a shopper one unit: leave out --quantity and --limit.'
  const limits = optionModes.filter(({ name }) => mode === 'all' || mode === name).map(({ maxUnits }) => maxUnits)
  const max = Math.min(maxStock, ...limits)
  if (stock < 1 || stock > max) return `--mode needs a --stock of 1 to ${max}.`
  return kill !== undefined || fault !== undefined
    ? '--mode compares sales without faults: leave out --kill and --fault.'
    : undefined
}

function planOrders(given: Given & Pick<RushOptions, 'kind'>): RushPlan {
  const { kind, stock = usualStock, quantity = 1, limit = quantity, total, variants } = given
  if (total !== undefined) {
    return refused(`--total is the total amount of red packets; a sale of kind ${kind} has none. Leave it out.`)
  }
  return {
    kind: given.mode === 'all' ? 'all-modes' : 'orders',
    options: {
      ...crowdOf(given),
      ...{ kind, stock, quantity, limitPerShopper: limit },
      ...(variants !== undefined && { variants }),
      ...(kind === 'goods' && { cancels: true }),
    },
  }
}

function planPackets(given: Given): RushPlan {
  const { stock: packets = usualStock, quantity, limit } = given
  const { total: totalAmount = usualAmount * packets } = given
  if (quantity !== undefined || limit !== undefined) {
    const option = quantity === undefined ? '--limit' : '--quantity'
    return refused(`${option} does not apply to red packets: a shopper claims one per sale. Leave it out.`)
  }
  if (packets < 1 || packets > maxPackets) {
    return refused(`--stock is the number of red packets: from 1 to ${maxPackets}, and not ${packets}.`)
  }
  if (totalAmount < packets || totalAmount > maxPacketAmount) {
    return refused(
      `--total must be at least one minor unit for each packet (${packets}), and at most ${maxPacketAmount}.`,
    )
  }
  return { kind: 'packets', options: { ...crowdOf(given), packets, totalAmount } }
}

function crowdOf(given: Given): CrowdOptions {
  const {
    mode,
    shoppers = mode === undefined ? usualShoppers : usualShoppersOfModes,
    concurrency,
    seed,
    patience,
    fault,
    kill,
    startStep,
  } = given
  const { settle = kill === undefined ? usualSettle : settleForLoss } = given
  const { shards = 1, oneShard = false } = given
  return {
    ...(mode !== undefined && mode !== 'all' && { mode }),
    shoppers,
    shards,
    oneShard,
    concurrency,
    seed,
    patienceMs: patience * 1000,
    settleMs: settle * 1000,
    fault,
    kill,
    startStep,
  }
}

const refused = (detail: string): RushPlan => ({ kind: 'refused', detail })
