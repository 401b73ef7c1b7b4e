/** The seam through which options add parts to the local system. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ControlClient } from '../cli/control-client.ts'
import type { Text } from '../templates/messages/text.ts'

export type StartedPart = {
  /** Answers requests of the shop and the page; false for others, which it does not touch. */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Registers the part in the shop at `url`, as staff would. */
  register(url: string, control: () => Promise<ControlClient>): Promise<void>
}

/** Returns a secret for `purpose`, the same after a restart with the same data folder. */
export type SecretOf = (purpose: string, bytes: number) => Uint8Array

/** A local emulation of a service that functions call. `environment` has their variables for it. */
export type LocalService = (
  secretOf: SecretOf,
) => Promise<{ stop: () => Promise<void>; environment: Readonly<Record<string, string>> }>

/** `title` and `note` are for the terminal. `environment` returns variables for the functions; `clock` returns epoch ms. */
export type LocalPart = {
  title: string
  note: string
  path: string
  environment(shopUrl: string): Readonly<Record<string, string>>
  start(clock: () => number): StartedPart
}

/**
 * A demo sale, in both languages. `times` returns its times for a start in `startsInMs`; with `isStarted` the demo
 * starts it.
 */
export type DemoSale = {
  picture: string
  title: Text
  description: Text
  /** A note for the terminal. */
  note?: string
  isStarted: boolean
  startsInMs: number
  times: (startsAt: number) => Readonly<Record<string, unknown>>
  sale: Readonly<Record<string, unknown>> & { saleId: string }
}

/** The shape of an option's `workbench.ts`, which is not deployed. */
export type WorkbenchSeam = {
  /** Emulations of the shop's own systems, each with a page. One that throws on start prevents the start of the system. */
  parts?: Readonly<Record<string, LocalPart>>
  /** Services that functions call, started before the parts. */
  services?: readonly LocalService[]
  /** Sales that `npm start` creates once. */
  demoSales?: readonly DemoSale[]
}
