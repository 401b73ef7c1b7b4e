/** Commands that define a sale and change its state. */

import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import type { Sale } from '../../core/sale.ts'
import { saleKinds } from '../../core/sale.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'
import { type DefinitionFlags, newDefinition, readEdit, readNumber, readWhole } from './definition.ts'
import { salesTable } from './print.ts'

export function addSaleCommands(program: Command, context: Context): void {
  addList(program, context)
  addDefinition(program, context)
  addStates(program, context)
  addStock(program, context)
}

function addList(program: Command, { around, reader, show }: Context): void {
  program
    .command('list')
    .description('list sales, the latest start first, fifty at a time')
    .option('--after <place>', 'continue after another page')
    .option('--all', 'all pages')
    .option('--archived', 'archived sales')
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
}

function addDefinition(program: Command, { around, reader, changer, showSale }: Context): void {
  withDefinition(
    program
      .command('create <saleId>')
      .description('create a sale')
      .addOption(
        new Option('--kind <kind>', 'kind of sale, fixed once created (default: goods)').choices(saleKinds),
      ),
  ).action(async (saleId: string, given: DefinitionFlags) => {
    const definition = newDefinition(saleId, given, around.now())
    showSale(await (await changer()).create(definition))
  })
  program
    .command('show <saleId>')
    .description('show one sale')
    .action(async (saleId: string) => showSale(await (await reader()).show(saleId)))
  withDefinition(program.command('edit <saleId>').description('edit a sale')).action(
    async (saleId: string, given: DefinitionFlags) => {
      const control = await changer()
      const change = readEdit(given, await control.show(saleId), around.now())
      showSale(await control.edit(saleId, change))
    },
  )
}

function addStates(program: Command, { changer, show, showSale }: Context): void {
  const act = (name: string, help: string, run: (control: ControlClient, saleId: string) => Promise<Sale>) =>
    program
      .command(`${name} <saleId>`)
      .description(help)
      .action(async (saleId: string) => showSale(await run(await changer(), saleId)))
  act('warm', 'put the stock into Redis before the sale opens', (control, saleId) => control.warm(saleId))
  program
    .command('start <saleId>')
    .description('start a sale: it opens by itself at its start time')
    .option('--now', 'open it now')
    .action(async (saleId: string, { now }: { now?: true }) =>
      showSale(await (await changer()).start(saleId, { now: now === true })),
    )
  act('pause', 'reject orders until the sale is resumed', (control, saleId) => control.pause(saleId))
  act('resume', 'accept orders again', (control, saleId) => control.resume(saleId))
  act('close', 'end a sale; it cannot be reopened', (control, saleId) => control.close(saleId))
  program
    .command('delete <saleId>')
    .description('delete a sale that was never started')
    .action(async (saleId: string) => {
      await (await changer()).remove(saleId)
      show({ deleted: saleId }, () => `${saleId} is deleted`)
    })
}

function addStock(program: Command, { changer, show }: Context): void {
  program
    .command('stock <saleId> <delta>')
    .description('add units (+10) or remove units (-10); not for red packets')
    // Commander would take a negative number for an unknown option.
    .allowUnknownOption()
    .action(async (saleId: string, delta: string) => {
      const [units, key] = [readWhole(delta), randomUUID()]
      const control = await changer()
      show(
        await retryOnce(() => control.changeStock(saleId, units, key)),
        ({ total, booked }) => `${saleId}: ${total} in total, ${booked} reserved`,
      )
    })
}

function withDefinition(command: Command): Command {
  return command
    .option('--file <json>', 'JSON file with the fields; options override it')
    .option('--title <text>', 'title')
    .option('--description <text>', 'description on the page')
    .option('--image <url>', 'https URL or site path of the image')
    .option('--price <amount>', 'price per unit, such as 0.10; none for coupons and red packets')
    .option('--currency <code>', 'ISO 4217 code, such as CNY')
    .option('--stock <units>', 'units in stock, -1 for unlimited', readWhole)
    .option('--packets <number>', 'red packets: how many (instead of --stock)', readWhole)
    .option('--total <amount>', 'red packets: total amount, such as 5000.00')
    .option('--valid-from <time>', 'coupons: valid from; “none” for at once')
    .option('--valid-until <time>', 'coupons: valid until; “none” for no end')
    .option('--limit <units>', 'limit per person (default for a new sale: 1)', readWhole)
    .option('--max-per-order <units>', 'limit per order (default for a new sale: 1)', readWhole)
    .option('--starts <time>', 'start time: +90s, +5m, or ISO 8601 with a time zone')
    .option('--ends <time>', 'end time: +2h, or ISO 8601 with a time zone')
    .option(
      '--window <start,end,units[,total]>',
      'a window, instead of --starts, --ends and --stock; repeat it for each; with a total: red packets',
      (saleWindow: string, before: string[] | undefined) => [...(before ?? []), saleWindow],
    )
    .option('--pay-within <seconds>', 'payment time limit in seconds', readWhole)
    .option('--pay-grace <seconds>', 'extra seconds for a payment in progress', readWhole)
    .option('--admission-ratio <number>', 'clicks admitted per unit, such as 1.2', readNumber)
    .option('--min-level <level>', 'minimum member level', readWhole)
    .option('--challenge <off|pow>', 'bot check: off, or pow (proof of work)')
    .option('--throttle-shopper <requests/seconds>', 'limit per shopper, such as 5/60')
    .option('--throttle-ip <requests/seconds>', 'limit per IP address in points, such as 3000/60')
    .option('--throttle-sale <requests/seconds>', 'limit for the whole sale, such as 2000/1')
}
