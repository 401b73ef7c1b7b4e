/**
 * A fairness mode that an option adds to the rush. The mode chooses the shoppers who may buy, and reserves a unit for
 * each.
 */
import type { ControlClient } from '../../cli/control-client.ts'
import type { System } from '../bench/system.ts'
import type { HttpClient } from './http.ts'
import type { Peak, Used } from './load.ts'
import type { RushOptions } from './options.ts'
import type { Try, VirtualShopper } from './shopper.ts'

export type RushMode = {
  name: string
  /** Returns the settings of a sale for `shoppers` that depend on its creation time `now`, epoch ms. */
  timesFor: (shoppers: number) => (now: number) => object
  /** Runs the shoppers' steps before the start; resolves when the sale starts. `meanwhile` runs after these steps. */
  beforeStart: (crowd: ModeCrowd, control: ControlClient, meanwhile: RushOptions['meanwhile']) => Promise<ModeRequests>
  /** Returns the shoppers who may buy, once there are `units` of them. */
  findBuyers: (
    crowd: ModeCrowd,
    wanted: { units: number; settleMs: number },
  ) => Promise<ModeRequests & { buyers: VirtualShopper[] }>
}

export type ModeCrowd = {
  system: System
  client: HttpClient
  saleId: string
  shoppers: readonly VirtualShopper[]
  random: () => number
}

/** Requests of shoppers other than clicks, and their load. */
export type ModeRequests = { peak: Peak; tries: Try[]; used: Used }
