/**
 * What an option adds to simulated sales: some of them have it, and sell to the shoppers on their list alone. So such a sale has no
 * customers of the shop and no orders by hand, and what is left is sold to no other shopper.
 */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Sale, SaleDefinition } from '../../core/sale/sale.ts'
import type { FaultProfile } from './engine/faults.ts'
import type { Random } from './engine/random.ts'
import type { Simulation } from './engine/simulation.ts'
import type { GroundTruth } from './parts/table.ts'
import type { Outside, SharedPorts } from './shared-ports.ts'

/** `World` is that of world.ts, which has the option. */
export type SimulatedOption<World> = {
  /** Also the flag of `npm run faults` that gives it to every sale of goods or coupons, and splits none. */
  name: string
  flag: string
  /**
   * The share of sales of goods and coupons that are not split which have it, drawn from a random stream of its own, so that all
   * others are as they were.
   */
  rate: number
  stream: number
  /** The share of goods with it that are paid in the checkout of the shop. */
  checkoutRate: number
  open: (parts: OptionParts) => PlayedOption<World>
  /** Its row in the report of a run, of the sums of what its sales counted. */
  rowOf: (sums: OptionCounts) => readonly [what: string, text: string]
  /** The rows of what is checked. */
  checked: readonly (readonly [what: string, text: string])[]
}

export type OptionCounts = Readonly<Record<string, number>>

/** `random` is at the beginning of the option's stream. */
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

/** The option in one sale. */
export type PlayedOption<World> = {
  /** Runs before the simulation. */
  prepare: () => Promise<void>
  vary: (sale: SaleDefinition) => SaleDefinition
  /** Creates and starts the sale, serves its schedule, and resolves when it sells. */
  start: (world: World, definition: SaleDefinition) => Promise<void>
  /** Looks as long as the sale is simulated. */
  watch: (world: World) => Promise<void>
  faultProfile: (random: Random) => FaultProfile
  /** How long faults last at least and at most, and when the last incident comes. */
  faultsMs: readonly [least: number, most: number]
  incidentsWithinMs: number
  /** The share of its buyers who never pay, besides those of all sales. */
  forgetRate: number
  /** The gate lets a shopper in by the list of the sale, having looked at it at `askedAt` (epoch ms) or before. */
  letIn: (shopperId: ShopperId, variant: string | undefined, askedAt: number) => Promise<void>
  checkAtRest: (world: World) => Promise<void>
  /** How much of what is pending, as in `pendingWork`. */
  pendingWork: (world: World, sale: Sale) => Promise<Record<string, number>>
  /** What the report of a run sums up. */
  counts: (world: World) => Promise<OptionCounts>
}
