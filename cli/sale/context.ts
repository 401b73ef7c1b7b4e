/**
 * The context of every command of `npm run sale`: the system that it calls, the token for it, its client, and how it
 * prints. A token is sent only to the system that was named with it.
 */
import type { Command } from 'commander'
import type { Sale } from '../../core/sale/sale.ts'
import { type ControlClient, controlClient, localToken } from '../control-client.ts'
import { type CliEnvironment, checkedToken, checkedUrl, exportedToken, isLoopback } from '../exported-token.ts'
import type { StartStep } from '../progress.ts'
import { saleLines } from './print.ts'

/** Output, clock and environment of a run. */
export type SaleCliPorts = {
  print(line: string): void
  printError(line: string): void
  startStep: StartStep
  now(): number
  /** Prints which system is changed; not part of the answer. */
  note(line: string): void
  /** SLUICE_URL and SLUICE_TOKEN. */
  environment: CliEnvironment
  /** Returns the address of the running local system. */
  running(): Promise<string | undefined>
}

export type Context = {
  ports: SaleCliPorts
  target(): Promise<Target>
  /** A client for calls that only read. */
  reader(): Promise<ControlClient>
  /** A client for calls that change something; it prints the target first. */
  writer(): Promise<ControlClient>
  /** Prints `answer`, as JSON with --json. */
  show<T>(answer: T, readable: (answer: T) => string): void
  showSale(sale: Sale): void
}

/** The seam of the command line, `commands.ts`: called once when `sale` starts. An action that throws prints its message and exits with 1. */
export type CommandsSeam = (program: Command, context: Context) => void

/** Replaces control characters, so that a terminal never interprets text of a file or of an answer. */
const replaceControlCharacters = (text: string): string => text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\ufffd')

type CommonFlags = { url?: string; token?: string; json?: true }

export function contextOf(program: Command, ports: SaleCliPorts): Context {
  const flags = () => program.opts<CommonFlags>()
  const given = (): Given => ({ ...flags(), environment: ports.environment })
  const target = () => resolveTarget(given(), ports.running)
  const clientOf = async (target: Target, token: string | undefined): Promise<ControlClient> =>
    controlClient({ url: target.url, token: token ?? (await localToken(target.url, 'marketer', ['marketer'])) })
  const show: Context['show'] = (answer, readable) =>
    ports.print(replaceControlCharacters(flags().json ? JSON.stringify(answer, null, 2) : readable(answer)))
  return {
    ports,
    target,
    async reader() {
      const found = await target()
      return clientOf(found, tokenFor(found, given()))
    },
    async writer() {
      const found = await target()
      const token = tokenFor(found, given())
      ports.note(`Changing ${found.url} (${found.from})`)
      return clientOf(found, token)
    },
    show,
    showSale: (sale) => show(sale, (shown) => saleLines(shown, ports.now())),
  }
}

/** `from` is the source of the address, which the note about a change names. */
export type Target = { url: string; from: '--url' | 'SLUICE_URL' | 'the running local system' | 'the default' }

/** `environment` holds SLUICE_URL and SLUICE_TOKEN. */
export type Given = CommonFlags & { environment: CliEnvironment }

const defaultUrl = 'http://127.0.0.1:8787'

/**
 * Returns the first of `--url`, SLUICE_URL, the running local system, and the default address.
 * @throws RangeError for an address that is not an http or https URL
 */
export async function resolveTarget(given: Given, running: () => Promise<string | undefined>): Promise<Target> {
  if (given.url !== undefined) return { url: checkedUrl(given.url, '--url'), from: '--url' }
  if (given.environment.url !== undefined) {
    return { url: checkedUrl(given.environment.url, 'SLUICE_URL'), from: 'SLUICE_URL' }
  }
  const local = await running()
  if (local !== undefined) return { url: local, from: 'the running local system' }
  return { url: defaultUrl, from: 'the default' }
}

/**
 * Returns the token for `target`; undefined for local sign-in. `--token` belongs to `--url`, or to SLUICE_URL;
 * SLUICE_TOKEN belongs to SLUICE_URL.
 * @throws RangeError for a token without its system, unless local sign-in replaces it
 */
function tokenFor(target: Target, { url, token, environment }: Given): string | undefined {
  if (token !== undefined) {
    if (url === undefined && environment.url === undefined) {
      throw new RangeError('--token needs --url: name the system that the token was made for')
    }
    return checkedToken(token, '--token')
  }
  const exported = exportedToken(environment, target.url)
  if (exported.ok && exported.token !== undefined) return exported.token
  if (isLoopback(target.url)) return undefined
  throw new RangeError(
    exported.ok
      ? `${target.url} is not this machine: give a marketer's token with --token or SLUICE_TOKEN`
      : exported.detail,
  )
}
