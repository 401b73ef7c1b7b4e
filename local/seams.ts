/** The seam of the workbench: what an option adds to the system on one machine. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ControlClient } from '../cli/control-client.ts'
import type { Text } from '../templates/messages/text.ts'

export type StartedPart = {
  /** Answers requests of the shop and of the page; false for all others, which are left untouched. */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Enters the part in the shop at `url`, as staff would. */
  register(url: string, control: () => Promise<ControlClient>): Promise<void>
}

/** The same secret of this machine for `purpose`, also after a restart with kept data. */
export type SecretOf = (purpose: string, bytes: number) => Uint8Array

/** A service of this machine in the place of one that functions call. `environment` is what they get. */
export type LocalService = (
  secretOf: SecretOf,
) => Promise<{ stop: () => Promise<void>; environment: Readonly<Record<string, string>> }>

/** `title` and `note` are for the terminal. `environment` is what the functions get; `clock` gives epoch ms. */
export type LocalPart = {
  title: string
  note: string
  path: string
  environment(shopUrl: string): Readonly<Record<string, string>>
  start(clock: () => number): StartedPart
}

/** A sale of the demo, in both languages. `times` are its times, from the start in `startsInMs`; `flip`: it is started. */
export type DemoSale = {
  picture: string
  title: Text
  description: Text
  /** What the terminal says of it. */
  note?: string
  isStarted: boolean
  startsInMs: number
  times: (startsAt: number) => Readonly<Record<string, unknown>>
  sale: Readonly<Record<string, unknown>> & { saleId: string }
}

/** `workbench.ts`: nothing of it is deployed. */
export type WorkbenchSeam = {
  /** Stand-ins of the shop's own systems, each with a page. One that throws when it starts keeps the system from starting. */
  parts?: Readonly<Record<string, LocalPart>>
  /** Services that functions call, started before these. */
  services?: readonly LocalService[]
  /** Sales that `npm start` creates once. */
  demoSales?: readonly DemoSale[]
}
