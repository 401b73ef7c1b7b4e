/**
 * The part of an option in simulated sales. A sale with an option sells only to the shoppers on its list. So it has no
 * customers of the shop and no orders by staff, and its remaining units are not sold to others.
 */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Sale, SaleDefinition } from '../../core/sale/sale.ts'
import type { FaultProfile } from './engine/faults.ts'
import type { Random } from './engine/random.ts'
import type { Simulation } from './engine/simulation.ts'
import type { GroundTruth } from './parts/table.ts'
import type { Outside, SharedPorts } from './shared-ports.ts'

/** `World` is the type of world.ts, which holds the option. */
export type SimulatedOption<World> = {
  /** Also the flag of `npm run faults`, which gives the option to every sale of goods or coupons, and splits none. */
  name: string
  flag: string
  /**
   * The share of unsplit sales of goods and coupons with the option. It is drawn from a separate random stream, so that
   * other sales do not change.
   */
  rate: number
  stream: number
  /** The share of such sales of goods that are paid in the checkout of the shop. */
  checkoutRate: number
  open: (parts: OptionParts) => PlayedOption<World>
  /** Returns its row in the report of a run, from the sums of its counts. */
  rowOf: (sums: OptionCounts) => readonly [what: string, text: string]
  /** Its rows in the list of checked invariants. */
  checked: readonly (readonly [what: string, text: string])[]
}

export type OptionCounts = Readonly<Record<string, number>>

/** `random` is at the start of the option's stream. */
export type OptionParts = {
  simulation: Simulation
  saleId: SaleId
  truth: GroundTruth
  violated: (what: string) => void
  outside: Outside
  shared: SharedPorts
  random: Random
  seed: number
}

export type PlayedOption<World> = {
  /** Prepares the option before the simulation. */
  prepare: () => Promise<void>
  vary: (sale: SaleDefinition) => SaleDefinition
  /** Creates and starts the sale, serves its schedule, and resolves when it is open. */
  start: (world: World, definition: SaleDefinition) => Promise<void>
  /** Watches the sale for the whole simulation. */
  watch: (world: World) => Promise<void>
  faultProfile: (random: Random) => FaultProfile
  /** Minimum and maximum duration of the faults, ms; the last incident starts within `incidentsWithinMs`. */
  faultsMs: readonly [least: number, most: number]
  incidentsWithinMs: number
  /** The additional share of buyers who never pay. */
  forgetRate: number
  /** Called when the gate admits a shopper by the list of the sale, which it read at `askedAt` (epoch ms) or before. */
  onAdmitted: (shopperId: ShopperId, variant: string | undefined, askedAt: number) => Promise<void>
  checkAtRest: (world: World) => Promise<void>
  /** Returns counts of pending work, as in proof/simulation/checks/pending-work.ts. */
  pendingWork: (world: World, sale: Sale) => Promise<Record<string, number>>
  /** Returns the counts that the report of a run adds up. */
  counts: (world: World) => Promise<OptionCounts>
}
