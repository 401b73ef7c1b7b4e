/** What every command of `npm run sale` shares: its target, its client, and how it prints. */
import type { Command } from 'commander'
import type { Sale } from '../../core/sale/sale.ts'
import { type ControlClient, controlClient, localToken } from '../control-client.ts'
import type { StartStep } from '../progress.ts'
import { saleLines } from './print.ts'
import { type Given, type Target, targetOf, tokenFor } from './target.ts'

/** Output, clock and environment of a run. */
export type SaleSurroundings = {
  print(line: string): void
  complain(line: string): void
  /** Starts a progress bar. */
  startStep: StartStep
  now(): number
  /** Prints which system a change goes to; not part of the answer. */
  note(line: string): void
  /** SLUICE_URL and SLUICE_TOKEN. */
  environment: Given['environment']
  /** The address of the running local system. */
  running(): Promise<string | undefined>
}

export type Context = {
  around: SaleSurroundings
  target(): Promise<Target>
  /** A client for calls that only read. */
  reader(): Promise<ControlClient>
  /** A client for calls that change something; it prints the target first. */
  changer(): Promise<ControlClient>
  /** Prints `answer`, as JSON with --json. */
  show<T>(answer: T, readable: (answer: T) => string): void
  showSale(sale: Sale): void
}

type CommonFlags = { url?: string; token?: string; json?: true }

export function contextOf(program: Command, around: SaleSurroundings): Context {
  const flags = () => program.opts<CommonFlags>()
  const given = (): Given => ({ url: flags().url, token: flags().token, environment: around.environment })
  const target = () => targetOf(given(), around.running)
  const clientOf = async (target: Target, token: string | undefined): Promise<ControlClient> =>
    controlClient({
      url: target.url,
      token: token ?? (await localToken(target.url, 'marketer', ['marketer'])),
    })
  const show: Context['show'] = (answer, readable) =>
    around.print(flags().json ? JSON.stringify(answer, null, 2) : readable(answer))
  return {
    around,
    target,
    async reader() {
      const found = await target()
      return clientOf(found, tokenFor(found, given()))
    },
    async changer() {
      const found = await target()
      const token = tokenFor(found, given())
      around.note(`Changing ${found.url} (${found.from})`)
      return clientOf(found, token)
    },
    show,
    showSale: (sale) => show(sale, (shown) => saleLines(shown, around.now())),
  }
}
