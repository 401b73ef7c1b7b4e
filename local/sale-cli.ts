/**
 * `npm run sale -- <command>`: the command-line face of `/api/control`. It talks to the system that `--url` or
 * SLUICE_URL names, or else to the local one, and does nothing the HTTP contract does not offer.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Command, CommanderError, Option } from 'commander'
import { type StartStep, startStep } from '../bench/progress.ts'
import { type Block, parseBlock } from '../core/block.ts'
import { saleKinds } from '../core/sale.ts'
import {
  askAgainOnce,
  type ControlClient,
  controlClient,
  localToken,
  Refused,
  type ShownSale,
} from './control-client.ts'
import { readRunning } from './running.ts'
import { writeCoupons } from './sale/coupons.ts'
import { type DefinitionFlags, newDefinition, readEdit, readNumber, readWhole } from './sale/definition.ts'
import {
  auditTable,
  blocksTable,
  findingsLines,
  liveLine,
  recoveryLine,
  refundLine,
  saleLines,
  salesTable,
} from './sale/print.ts'
import { type Given, type Target, targetOf, tokenFor } from './sale/target.ts'
import { atCommandLine } from './sale/wording.ts'

/** Where a run writes, and what it may know of its surroundings. */
export type Surroundings = {
  print(line: string): void
  complain(line: string): void
  /** Shows how far something long has come. */
  startStep: StartStep
  now(): number
  /** Says to which system a change goes: read by people, and no part of the answer. */
  note(line: string): void
  /** SLUICE_URL and SLUICE_TOKEN. */
  environment: Given['environment']
  /** The address of the local system that runs now. */
  running(): Promise<string | undefined>
}

type CommonFlags = { url?: string; token?: string; json?: true }

/** Runs one command and returns the exit code: 0, or 1 after saying on `complain` what was refused or broke. */
export async function runSaleCli(args: string[], around: Surroundings): Promise<number> {
  try {
    await saleProgram(around).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    around.complain(explain(error))
    return 1
  }
}

function explain(error: unknown): string {
  if (error instanceof Refused) {
    const { code, field, detail } = error.problem
    return `${field === undefined ? code : `${code} (${field})`}: ${atCommandLine(detail)}`
  }
  if (error instanceof RangeError || error instanceof SyntaxError) return error.message
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return 'nothing answers there: is the system running (npm start), and is --url or SLUICE_URL right?'
  }
  return error instanceof Error ? error.message : String(error)
}

function saleProgram(around: Surroundings): Command {
  const program = new Command('sale')
    .description('Create, start and watch sales.')
    .option('--url <url>', 'the system to talk to (default: SLUICE_URL, or the local system)')
    .option(
      '--token <token>',
      "a token with the marketer role for that system (default: SLUICE_URL's SLUICE_TOKEN, or local sign-in)",
    )
    .option('--json', 'print the answer as JSON')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => around.print(text.trimEnd()),
      writeErr: (text) => around.complain(text.trimEnd()),
    })
  const flags = () => program.opts<CommonFlags>()
  const given = (): Given => ({
    url: flags().url,
    token: flags().token,
    environment: around.environment,
  })
  /** A client for calls that only read. */
  const reader = async (): Promise<ControlClient> => clientOf(await targetOf(given(), around.running))
  /** A client for calls that change something; says first where. */
  const changer = async (): Promise<ControlClient> => {
    const target = await targetOf(given(), around.running)
    const token = tokenFor(target, given())
    around.note(`Changing ${target.url} (${target.from})`)
    return clientOf(target, token)
  }
  const clientOf = async (target: Target, token = tokenFor(target, given())): Promise<ControlClient> =>
    controlClient({
      url: target.url,
      token: token ?? (await localToken(target.url, 'marketer', ['marketer'])),
    })
  const saleDetails = (sale: ShownSale) => saleLines(sale, around.now())
  const show = <T>(answer: T, readable: (answer: T) => string) =>
    around.print(flags().json ? JSON.stringify(answer, null, 2) : readable(answer))
  const act = (
    name: string,
    help: string,
    run: (control: ControlClient, saleId: string) => Promise<ShownSale>,
  ) =>
    program
      .command(`${name} <saleId>`)
      .description(help)
      .action(async (saleId: string) => show(await run(await changer(), saleId), saleDetails))

  program
    .command('list')
    .description('the sales, those that start last first, fifty at a time')
    .option('--after <place>', 'go on where another page ended')
    .option('--all', 'all pages')
    .option('--archived', 'the archived sales instead')
    .action(async ({ after, all, archived }: { after?: string; all?: true; archived?: true }) => {
      const control = await reader()
      const read = (from?: string) => control.list({ after: from, archived })
      let page = await read(after)
      const sales = [...page.sales]
      while (all && page.next !== null) {
        page = await read(page.next)
        sales.push(...page.sales)
      }
      const { next } = page
      const again = archived ? 'list --archived' : 'list'
      show({ sales, next }, () =>
        [
          salesTable(sales, around.now()),
          ...(next === null ? [] : [`There are more: ${again} --after ${next}, or ${again} --all`]),
        ].join('\n'),
      )
    })
  withDefinition(
    program
      .command('create <saleId>')
      .description('define a new sale')
      .addOption(
        new Option('--kind <kind>', 'what kind of sale; it never changes (goods)').choices(saleKinds),
      ),
  ).action(async (saleId: string, given: DefinitionFlags) => {
    const definition = newDefinition(saleId, given, around.now())
    show(await (await changer()).create(definition), saleDetails)
  })
  program
    .command('show <saleId>')
    .description('one sale')
    .action(async (saleId: string) => show(await (await reader()).show(saleId), saleDetails))
  withDefinition(program.command('edit <saleId>').description('change a sale')).action(
    async (saleId: string, given: DefinitionFlags) => {
      const control = await changer()
      const change = readEdit(given, await control.show(saleId), around.now())
      show(await control.edit(saleId, change), saleDetails)
    },
  )
  act('warm', 'put the stock on the shelf', (control, saleId) => control.warm(saleId))
  program
    .command('start <saleId>')
    .description('flip the start flag; the sale opens at its start time')
    .option('--now', 'move the start time to the present')
    .action(async (saleId: string, { now }: { now?: true }) =>
      show(await (await changer()).start(saleId, { now: now === true }), saleDetails),
    )
  act('pause', 'stop taking orders for a while', (control, saleId) => control.pause(saleId))
  act('resume', 'take orders again', (control, saleId) => control.resume(saleId))
  act('close', 'end the sale for good', (control, saleId) => control.close(saleId))
  program
    .command('delete <saleId>')
    .description('remove a sale that was never started')
    .action(async (saleId: string) => {
      await (await changer()).remove(saleId)
      show({ deleted: saleId }, () => `${saleId} is gone`)
    })
  program
    .command('stock <saleId> <delta>')
    .description('add units (+10) or take units away (-10); not of red packets')
    // A negative number must reach us as an argument, not as an unknown option.
    .allowUnknownOption()
    .action(async (saleId: string, delta: string) => {
      const [units, key] = [readWhole(delta), randomUUID()]
      const control = await changer()
      show(
        await askAgainOnce(() => control.changeStock(saleId, units, key)),
        ({ total, booked }) => `${saleId}: total ${total}, taken ${booked}`,
      )
    })
  program
    .command('live <saleId>')
    .description('phase, stock, orders and queue; of red packets the money too')
    .option('--watch', 'again every second, until stopped')
    .action(async (saleId: string, { watch }: { watch?: true }) => {
      const control = await reader()
      do show(await control.live(saleId), liveLine)
      while (watch && (await sleep(1000, true)))
    })
  program
    .command('orders <saleId>')
    .description('all written orders as CSV')
    .action(async (saleId: string) => around.print((await (await reader()).ordersCsv(saleId)).trimEnd()))
  program
    .command('coupons <saleId>')
    .description('all coupon codes of a sale as CSV')
    .option('--out <file>', 'where to write them (default: standard output)')
    .action(async (saleId: string, { out }: { out?: string }) => {
      await writeCoupons(await reader(), saleId, out, around)
    })
  program
    .command('reconcile <saleId>')
    .description('compare Redis with the orders now, and put right what differs')
    .action(async (saleId: string) => show(await (await changer()).reconcile(saleId), findingsLines))
  program
    .command('recover <saleId>')
    .description('rebuild a sale that Redis has lost, from its orders')
    .action(async (saleId: string) => show(await (await changer()).recover(saleId), recoveryLine))
  program
    .command('refund <orderId>')
    .description('give an order back: its units to the sale, its money to the shopper')
    .action(async (orderId: string) => show(await (await changer()).refund(orderId), refundLine))
  program
    .command('redrive')
    .description('send dead letters to their queues again')
    .action(async () =>
      show(await (await changer()).redrive(), ({ moved, left }) => `${moved} sent again, ${left} left`),
    )
  program
    .command('blocklist')
    .description('whom the gate turns away')
    .action(async () => show(await (await reader()).blocklist(), blocksTable))
  program
    .command('block <kind> <value>')
    .description('turn away a shopper by id, or an ip: an address or a range such as 10.0.0.0/8')
    .option('--force', 'also a range wider than /8 of IPv4 or /19 of IPv6')
    .action(async (kind: string, value: string, { force = false }: { force?: boolean }) => {
      const block = readBlock(kind, value)
      show(
        await (await changer()).block(block, { force }),
        () => `${block.value} is blocked, everywhere within 2 seconds`,
      )
    })
  program
    .command('unblock <kind> <value>')
    .description('let a shopper, an address or a range in again')
    .action(async (kind: string, value: string) => {
      const block = readBlock(kind, value)
      await (await changer()).unblock(block)
      show({ unblocked: block }, () => `${block.value} is off the list, everywhere within 2 seconds`)
    })
  program
    .command('audit')
    .description('who changed what')
    .option('--day <yyyy-mm-dd>', 'the UTC day (default: today)')
    .action(async ({ day }: { day?: string }) => show(await (await reader()).audit(day), auditTable))
  program
    .command('sign-in [shopperId]')
    .description('a token from the local sign-in')
    .option('--role <role...>', 'roles, such as marketer')
    .action(async (shopperId: string | undefined, { role }: { role?: string[] }) => {
      const token = await localToken(
        (await targetOf(given(), around.running)).url,
        shopperId ?? 'marketer',
        role ?? (shopperId ? [] : ['marketer']),
      )
      show({ token }, (answer) => answer.token)
    })
  return program
}

function withDefinition(command: Command): Command {
  return command
    .option('--file <json>', 'a JSON file with the fields; flags win over it')
    .option('--title <text>', 'what is sold')
    .option('--description <text>', 'what the page says about it')
    .option('--image <url>', 'https address or path of the picture')
    .option(
      '--price <amount>',
      'price of one unit in the currency, such as 0.10; coupons and packets have none',
    )
    .option('--currency <code>', 'ISO 4217 code')
    .option('--stock <units>', 'units on sale, -1 for unlimited', readWhole)
    .option('--packets <number>', 'red packets: how many, in place of --stock', readWhole)
    .option('--total <amount>', 'red packets: what all of them hold together, such as 5000.00')
    .option('--valid-from <time>', 'coupons: from when they are good; none: at once')
    .option('--valid-until <time>', 'coupons: until when they are good; none: for ever')
    .option('--limit <units>', 'most units for one shopper (a new sale: 1)', readWhole)
    .option('--max-per-order <units>', 'most units in one order (a new sale: 1)', readWhole)
    .option('--starts <time>', '+90s, +5m, or ISO 8601 with its zone')
    .option('--ends <time>', '+2h, or ISO 8601 with its zone')
    .option(
      '--window <start,end,units[,total]>',
      'one window of several, in place of --starts, --ends and --stock; give it once for each; with a total a wave of packets',
      (saleWindow: string, before: string[] | undefined) => [...(before ?? []), saleWindow],
    )
    .option('--pay-within <seconds>', 'time to pay', readWhole)
    .option('--pay-grace <seconds>', 'more time for a payment on its way', readWhole)
    .option(
      '--admission-ratio <number>',
      'clicks let through to the stock for each unit, such as 1.2',
      readNumber,
    )
    .option('--min-level <level>', 'lowest level of a shopper who may buy', readWhole)
    .option('--challenge <off|pow>', 'whether a browser must solve a proof of work')
    .option('--throttle-shopper <requests/seconds>', 'clicks of one shopper, such as 5/60')
    .option('--throttle-ip <requests/seconds>', 'clicks from one address, such as 3000/60')
    .option('--throttle-sale <requests/seconds>', 'clicks on the whole sale, such as 2000/1')
}

function readBlock(kind: string, value: string): Block {
  const block = parseBlock(kind, value)
  if (block !== undefined) return block
  if (kind === 'shopper') throw new RangeError(`"${value}" is not a shopper id`)
  if (kind === 'ip') throw new RangeError(`"${value}" is not an address or a range such as 10.0.0.0/8`)
  throw new RangeError(`"${kind}" cannot be blocked: use shopper or ip`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runSaleCli(process.argv.slice(2), {
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
    startStep,
    now: Date.now,
    note: (line) => console.error(line),
    environment: { url: process.env.SLUICE_URL || undefined, token: process.env.SLUICE_TOKEN || undefined },
    running: readRunning,
  })
}
