/** What an option adds to the system on one machine: a stand-in of another system, with a page below `path`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ControlClient } from '../cli/control-client.ts'

export type StartedPart = {
  /** Answers requests of the shop and of the page; false for all others, which are left untouched. */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Enters the part in the shop at `url`, as staff would. */
  register(url: string, control: () => Promise<ControlClient>): Promise<void>
}

/** `title` and `note` are for the terminal. `environment` is what the functions get; `clock` gives epoch ms. */
export type LocalPart = {
  title: string
  note: string
  path: string
  environment(shopUrl: string): Readonly<Record<string, string>>
  start(clock: () => number): StartedPart
}
