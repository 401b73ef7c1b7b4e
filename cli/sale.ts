/**
 * `npm run sale -- <command>`: calls the control API of the system that `--url` or SLUICE_URL names, or of the local one.
 */
import { Command, CommanderError } from 'commander'
import { commands } from '../options/registry/commands.ts'
import { ControlApiError } from './control-client.ts'
import { isMain } from './is-main.ts'
import { startStep } from './progress.ts'
import { readRunning } from './running.ts'
import { addAccessCommands } from './sale/access-commands.ts'
import { type CommandsSeam, contextOf, type SaleCliPorts } from './sale/context.ts'
import { addOrderCommands } from './sale/order-commands.ts'
import { addSaleCommands } from './sale/sale-commands.ts'
import { addBrandCommand, addCustomerCommands } from './sale/shop-commands.ts'
import { addTableCommands } from './sale/table-commands.ts'

const optionCommands: readonly CommandsSeam[] = Object.values(commands)

/** Advice of the API, and its counterpart at the command line. */
const remedies: readonly (readonly [api: string, typed: string])[] = [
  ['add ?force=true', 'add --force'],
  [
    'with “Add” or “Remove” on the sale’s page (API: POST …/stock)',
    'with the stock command, such as: stock <saleId> +10',
  ],
]

/** Returns the `detail` of a problem of `/api/control`, with advice for the command line. */
export function atCommandLine(detail: string): string {
  return remedies.reduce((text, [api, typed]) => text.replace(api, typed), detail)
}

/** Runs one command and returns the exit code: 0, or 1 after the error was printed with `printError`. */
export async function runSaleCli(args: string[], ports: SaleCliPorts): Promise<number> {
  try {
    await saleProgram(ports).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    ports.printError(explain(error))
    return 1
  }
}

function explain(error: unknown): string {
  if (error instanceof ControlApiError) {
    const { code, field, detail } = error.problem
    return `${field === undefined ? code : `${code} (${field})`}: ${atCommandLine(detail)}`
  }
  if (error instanceof RangeError || error instanceof SyntaxError) return error.message
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return 'no answer: is the system running (npm start), and is --url or SLUICE_URL right?'
  }
  return error instanceof Error ? error.message : String(error)
}

/** Adds a hint to the error of an unknown command for which Commander suggests none. */
const withHint = (text: string): string =>
  /^error: unknown command [^\n]*$/.test(text) ? `${text}\n(npm run sale -- --help lists the commands)` : text

function saleProgram(ports: SaleCliPorts): Command {
  const program = new Command('sale')
    .description('Create, run and monitor sales.')
    .option('--url <url>', 'address of the system (default: SLUICE_URL, or the local system)')
    .option(
      '--token <token>',
      'a token with a role for that system (default: SLUICE_TOKEN of SLUICE_URL, or local sign-in)',
    )
    .option('--json', 'print the answer as JSON')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => ports.print(text.trimEnd()),
      writeErr: (text) => ports.printError(withHint(text.trimEnd())),
    })
  const context = contextOf(program, ports)
  addSaleCommands(program, context)
  addOrderCommands(program, context)
  addTableCommands(program, context)
  addAccessCommands(program, context)
  addBrandCommand(program, context)
  addCustomerCommands(program, context)
  for (const add of optionCommands) add(program, context)
  return program
}

if (isMain(import.meta.url)) {
  process.exitCode = await runSaleCli(process.argv.slice(2), {
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
    startStep,
    now: Date.now,
    note: (line) => console.error(line),
    environment: { url: process.env.SLUICE_URL || undefined, token: process.env.SLUICE_TOKEN || undefined },
    running: readRunning,
  })
}
