/** Commands that define a sale and change its state. */

import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { parse } from '../../core/lib/parse.ts'
import { withUnitsLeft } from '../../core/sale/copy-sale.ts'
import { type Sale, type SaleDefinition, saleDefinition } from '../../core/sale/sale.ts'
import { isEmptySearch, type SalesAsked, salesPerPage, searchStates } from '../../core/sale/sale-search.ts'
import { saleKinds } from '../../core/sale/settings.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'
import { type DefinitionFlags, newDefinition, readEdit, readWhole, settingFlags } from './definition.ts'
import { placementTable, salesTable, windowsTable } from './print.ts'
import { withSchedule } from './schedule.ts'

export function addSaleCommands(program: Command, context: Context): void {
  addList(program, context)
  addDefinition(program, context)
  addStates(program, context)
  addPlacement(program, context)
  addStock(program, context)
}

function addList(program: Command, { around, reader, show }: Context): void {
  program
    .command('list')
    .description('list sales, the latest start first, fifty at a time')
    .option('--after <place>', 'continue after another page')
    .option('--all', 'all pages')
    .option('--archived', 'archived sales')
    .option('--find <words>', 'sales with these words in a title or the id')
    .addOption(new Option('--kind <kind>', 'sales of this kind').choices(saleKinds))
    .addOption(new Option('--state <state>', 'sales in this state').choices(searchStates))
    .action(async ({ after, all, ...asked }: ListFlags) => {
      const control = await reader()
      const read = (from?: string) => control.list({ ...asked, after: from, numbers: true })
      let page = await read(after)
      const sales = [...page.sales]
      const numbers = { ...page.numbers }
      // A page of a search may be short or empty although more come.
      while (page.next !== null && (all || (!isEmptySearch(asked) && sales.length < salesPerPage))) {
        page = await read(page.next)
        sales.push(...page.sales)
        Object.assign(numbers, page.numbers)
      }
      const { next } = page
      const again = listCommand(asked)
      show({ sales, numbers, next }, () =>
        [
          sales.length === 0 && !isEmptySearch(asked) ? 'No sales found.' : salesTable(sales, around.now(), numbers),
          ...(next === null ? [] : [`There are more: ${again} --after ${next}, or ${again} --all`]),
        ].join('\n'),
      )
    })
}

type ListFlags = { all?: true } & SalesAsked

/** The command as it was typed, to be continued. */
function listCommand({ archived, find, kind, state }: SalesAsked): string {
  return [
    'list',
    ...(archived ? ['--archived'] : []),
    ...(find === undefined ? [] : [`--find ${JSON.stringify(find)}`]),
    ...(kind === undefined ? [] : [`--kind ${kind}`]),
    ...(state === undefined ? [] : [`--state ${state}`]),
  ].join(' ')
}

function addPlacement(program: Command, { reader, show }: Context): void {
  program
    .command('placement')
    .description('show which database has the stock of which sale')
    .action(async () => {
      const databases = await (await reader()).databases()
      show({ databases }, () => placementTable(databases))
    })
}

type CreateFlags = { preview?: true; like?: string; again?: string }

function addDefinition(program: Command, { around, reader, changer, show, showSale }: Context): void {
  withDefinition(
    program
      .command('create <saleId>')
      .description('create a sale')
      .addOption(new Option('--kind <kind>', 'kind of sale, fixed once created (default: goods)').choices(saleKinds))
      .option('--like <saleId>', 'begin with the fields of that sale, moved by whole days into the future')
      .addOption(
        new Option(
          '--again <saleId>',
          'the same, with exactly the units that are left of that sale, which is over',
        ).conflicts('like'),
      )
      .option('--preview', 'check the fields and print the windows, create nothing'),
  ).action(async (saleId: string, { preview, like, again, ...given }: DefinitionFlags & CreateFlags) => {
    const former = await formerOf(reader, { like, again })
    const definition = newDefinition(saleId, given, around.now(), former)
    if (preview) return show(previewed(definition), windowsTable)
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

/**
 * What a new sale begins with.
 * @throws RangeError where nothing is left of the sale whose units are offered again
 */
async function formerOf(
  reader: Context['reader'],
  { like, again }: Pick<CreateFlags, 'like' | 'again'>,
): Promise<Sale | SaleDefinition | undefined> {
  if (again !== undefined) {
    const left = withUnitsLeft(await (await reader()).live(again))
    if (left === undefined)
      throw new RangeError(`${again} has no units to offer again: it is not over, or nothing is left`)
    return left
  }
  return like === undefined ? undefined : (await reader()).show(like)
}

/** @throws RangeError that names the field that the shop would refuse */
function previewed(definition: Record<string, unknown>): SaleDefinition {
  const read = parse(saleDefinition, definition)
  if (!read.ok) throw new RangeError(read.detail)
  return read.value
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
  program
    .command('pause-all')
    .description('pause every sale that is started')
    .action(async () => {
      const { paused, failed } = await (await changer()).pauseAll()
      show({ paused, failed }, () => `${paused.length} paused${paused.map((saleId) => `\n  ${saleId}`).join('')}`)
      if (failed.length > 0) throw new Error(`not paused, repeat the command: ${failed.join(', ')}`)
    })
  program
    .command('resume-all')
    .description('resume every sale that pause-all paused')
    .action(async () => {
      const { resumed, failed } = await (await changer()).resumeAll()
      show({ resumed, failed }, () => `${resumed.length} resumed${resumed.map((saleId) => `\n  ${saleId}`).join('')}`)
      if (failed.length > 0) throw new Error(`not resumed, repeat the command: ${failed.join(', ')}`)
    })
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
    .option('--variant <id>', 'the variant that gets or loses them, where the sale has some')
    // Commander would take a negative number for an unknown option.
    .allowUnknownOption()
    .action(async (saleId: string, delta: string, { variant }: { variant?: string }) => {
      const [units, key] = [readWhole(delta), randomUUID()]
      const control = await changer()
      show(
        await retryOnce(() => control.changeStock(saleId, units, { key, variant })),
        ({ total, booked }) => `${saleId}: ${total} in total, ${booked} reserved`,
      )
    })
}

function withDefinition(command: Command): Command {
  command.option('--file <json>', 'JSON file with the fields; options override it')
  for (const { option } of settingFlags) command.addOption(option)
  const oneMore = (text: string, before: string[] | undefined) => [...(before ?? []), text]
  return withSchedule(command)
    .option(
      '--window <start,end,units[,total]>',
      'a window, instead of --starts, --ends and --stock; repeat it for each; with a total: red packets; with variants: units such as s*5+m*5',
      oneMore,
    )
    .option(
      '--variant <id=name:units>',
      'a variant such as s=Small:10, instead of --stock; repeat it for each; without units: those of the first window, or as they are',
      oneMore,
    )
}
