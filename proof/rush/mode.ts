/** A way to give units away that an option adds to the rush. The mode chooses the shoppers who may buy, and keeps a unit for each. */
import type { ControlClient } from '../../cli/control-client.ts'
import type { System } from '../bench/system.ts'
import type { HttpClient } from './http.ts'
import type { Peak, Used } from './load.ts'
import type { CrowdOptions } from './options.ts'
import type { Try, VirtualShopper } from './shopper.ts'

export type RushMode = {
  name: string
  /** The most units of a sale. */
  mostUnits: number
  /** The times of a sale for so many shoppers and what goes with them, from when it is created, epoch ms. */
  timesFor: (shoppers: number) => (now: number) => object
  /** What all shoppers do before the start; resolves when the sale starts. `meanwhile` runs once they have. */
  beforeStart: (crowd: ModeCrowd, control: ControlClient, meanwhile: CrowdOptions['meanwhile']) => Promise<Asked>
  /** The shoppers who may buy, once there are `units` of them. */
  findBuyers: (
    crowd: ModeCrowd,
    wanted: { units: number; settleMs: number },
  ) => Promise<Asked & { buyers: VirtualShopper[] }>
}

export type ModeCrowd = {
  system: System
  client: HttpClient
  saleId: string
  shoppers: readonly VirtualShopper[]
  random: () => number
}

/** What the shoppers ask besides clicks, and what it used. */
export type Asked = { peak: Peak; tries: Try[]; used: Used }
