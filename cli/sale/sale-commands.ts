/** Commands that define a sale and change its state. */
import { randomUUID } from 'node:crypto'
import { type Command, Option } from 'commander'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import {
  isEmptySearch,
  type SalesListQuery,
  salesPerPage,
  salesQuery,
  searchStates,
} from '../../core/sale/sale-search.ts'
import { retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'
import {
  type DefinitionFlags,
  definitionOptions,
  exampleDefinition,
  newDefinition,
  readWhole,
  saleEditFrom,
} from './definition.ts'
import { placementTable, salesTable } from './print.ts'

export function addSaleCommands(program: Command, context: Context): void {
  addList(program, context)
  addDefinition(program, context)
  addStates(program, context)
  addPlacement(program, context)
  addStock(program, context)
}

function addList(program: Command, { ports, reader, show }: Context): void {
  program
    .command('list')
    .description('list sales, the latest start first, fifty at a time')
    .option('--after <place>', 'continue after another page')
    .option('--all', 'all pages')
    .option('--archived', 'archived sales')
    .option('--find <words>', 'sales with these words in a title or the id')
    .addOption(new Option('--kind <kind>', 'sales of this kind').choices(saleKinds))
    .addOption(new Option('--state <state>', 'sales in this state').choices(searchStates))
    .action(async ({ after, all, ...search }: ListFlags) => {
      const control = await reader()
      const read = (from?: string) =>
        control.listSales({ query: salesQuery({ ...search, after: from, numbers: true }) })
      let page = await read(after)
      const sales = [...page.sales]
      const numbers = { ...page.numbers }
      // A page of a search may be short or empty although more come.
      while (page.next !== null && (all || (!isEmptySearch(search) && sales.length < salesPerPage))) {
        page = await read(page.next)
        sales.push(...page.sales)
        Object.assign(numbers, page.numbers)
      }
      const { next } = page
      const again = listCommand(search)
      show({ sales, numbers, next }, () =>
        [
          sales.length === 0 && !isEmptySearch(search) ? 'No sales found.' : salesTable(sales, ports.now(), numbers),
          ...(next === null ? [] : [`There are more: ${again} --after ${next}, or ${again} --all`]),
        ].join('\n'),
      )
    })
}

type ListFlags = { all?: true } & SalesListQuery

/** Returns the command as it was typed, to continue it with `--after`. */
function listCommand({ archived, find, kind, state }: SalesListQuery): string {
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
      show(await (await reader()).listDatabases(), placementTable)
    })
}

type CreateFlags = DefinitionFlags & { id?: string; kind?: string; example?: SaleKind }

function addDefinition(program: Command, { ports, reader, writer, showSale }: Context): void {
  const kind = (name: string, help: string) => new Option(`${name} <kind>`, help).choices(saleKinds)
  withOptions(
    program
      .command('create [file]')
      .description('create a sale from a JSON file with the fields of the API, from options, or from both')
      .option('--id <saleId>', 'id of the sale')
      .addOption(kind('--kind', 'kind of sale, fixed once created (default: goods)'))
      .addOption(kind('--example', 'print a file to begin with, create nothing')),
  ).action(async (file: string | undefined, { example, ...given }: CreateFlags) => {
    if (example !== undefined) return ports.print(JSON.stringify(exampleDefinition(example, ports.now()), null, 2))
    const definition = newDefinition(file, given, ports.now())
    showSale(await (await writer()).createSale({ body: definition }))
  })
  program
    .command('show <saleId>')
    .description('show one sale')
    .action(async (saleId: string) => showSale(await (await reader()).getSale({ saleId })))
  withOptions(
    program.command('edit <saleId> [file]').description('change the fields of a sale that a JSON file or options name'),
  ).action(async (saleId: string, file: string | undefined, given: DefinitionFlags) => {
    const control = await writer()
    const change = saleEditFrom(file, given, await control.getSale({ saleId }), ports.now())
    showSale(await control.editSale({ saleId, body: change }))
  })
}

function withOptions(command: Command): Command {
  for (const option of definitionOptions) command.addOption(option)
  return command
}

function addStates(program: Command, { writer, show, showSale }: Context): void {
  const act = (name: 'warm' | 'close', help: string) =>
    program
      .command(`${name} <saleId>`)
      .description(help)
      .action(async (saleId: string) => showSale(await (await writer())[name]({ saleId })))
  act('warm', 'put the stock into Redis before the sale opens')
  program
    .command('start <saleId>')
    .description('start a sale: it opens automatically at its start time')
    .option('--now', 'open it now')
    .action(async (saleId: string, { now }: { now?: true }) =>
      showSale(await (await writer()).start({ saleId, body: { now } })),
    )
  const forOneOrAll = (command: Command, name: 'pause' | 'resume') =>
    command.action(async (saleId: string | undefined, { all }: { all?: true }) => {
      const one = oneOrAll(saleId, all)
      const control = await writer()
      if (one !== undefined) return showSale(await control[name]({ saleId: one }))
      const answer = await control[`${name}All`]()
      const done = 'paused' in answer ? answer.paused : answer.resumed
      show(answer, () => `${done.length} ${name}d${done.map((each) => `\n  ${each}`).join('')}`)
      const { failed } = answer
      if (failed.length > 0) throw new Error(`not ${name}d, repeat the command: ${failed.join(', ')}`)
    })
  const pause = program.command('pause [saleId]').description('reject orders until the sale is resumed')
  forOneOrAll(pause.option('--all', 'every sale that is started'), 'pause')
  const resume = program.command('resume [saleId]').description('accept orders again')
  forOneOrAll(resume.option('--all', 'every sale that pause --all paused'), 'resume')
  act('close', 'end a sale; it cannot be reopened')
  program
    .command('delete <saleId>')
    .description('delete a sale that was never started')
    .action(async (saleId: string) => {
      await (await writer()).deleteSale({ saleId })
      show({ deleted: saleId }, () => `${saleId} is deleted`)
    })
}

/** Returns the named sale, or undefined for all. @throws RangeError for neither and for both */
function oneOrAll(saleId: string | undefined, all: true | undefined): string | undefined {
  if ((saleId === undefined) === (all === undefined)) throw new RangeError('name one sale, or give --all')
  return saleId
}

function addStock(program: Command, { writer, show }: Context): void {
  program
    .command('stock <saleId> <delta>')
    .description('add units (+10) or remove units (-10); not for red packets')
    .option('--variant <id>', 'the variant that gets or loses them, where the sale has some')
    // Commander would treat a negative number as an unknown option.
    .allowUnknownOption()
    .action(async (saleId: string, delta: string, { variant }: { variant?: string }) => {
      const [units, key] = [readWhole(delta), randomUUID()]
      const control = await writer()
      show(
        await retryOnce(() => control.changeStock({ saleId, body: { delta: units, variant }, key })),
        ({ total, booked }) => `${saleId}: ${total} in total, ${booked} reserved`,
      )
    })
}
