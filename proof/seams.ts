/** The seam of the proof. */
import type { RushMode } from './rush/mode.ts'
import type { Mutation } from './simulation/mutation.ts'
import type { SimulatedOption } from './simulation/option.ts'
import type { World } from './simulation/world.ts'

/** `proofs.ts`: nothing of it is deployed. A violation or a throw fails the run. */
export type ProofsSeam = {
  /** Actors and invariants of simulated sales. They draw from a stream of their own, so that other sales stay as they are. */
  simulated?: SimulatedOption<World>
  /** Programs with one defect each that simulated sales must find, and where some are found first. */
  mutations?: readonly Mutation[]
  foundBy?: readonly (readonly [name: string, { seed: number; sale: number }])[]
  /** A mode of the rush. */
  rush?: RushMode
}
