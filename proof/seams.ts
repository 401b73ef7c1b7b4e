/** The seam through which options add proofs. */
import type { RushMode } from './rush/mode.ts'
import type { Mutation } from './simulation/mutation.ts'
import type { SimulatedOption } from './simulation/option.ts'
import type { World } from './simulation/world.ts'

/** The shape of an option's `proofs.ts`, which is not deployed. A violation or a thrown error fails the run. */
export type ProofsSeam = {
  /** Actors and invariants of simulated sales. They use their own random stream, so that other sales do not change. */
  simulated?: SimulatedOption<World>
  /** Programs with one planted defect each, which simulated sales must find; `foundBy` names a sale that finds it. */
  mutations?: readonly Mutation[]
  foundBy?: readonly (readonly [name: string, { seed: number; sale: number }])[]
  /** A mode of the rush. */
  rush?: RushMode
}
