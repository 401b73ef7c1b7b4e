/**
 * Plays a test once for each call that may be cut off. `npm test` plays a random sample of the calls, the
 * soak all of them.
 */
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { playsWhole } from '../../whole-plays.ts'

/** The calls of a sample are this far apart at most, and the first of them is as near, so that it exists in each play. */
const longestStep = 23
const furthestFirst = 11

const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)

/**
 * `play` cuts off that call, from 1, and resolves with false when it was never made. Plays until then.
 * Resolves with a lower bound of the number of calls.
 * @throws the failure of a play, with the call and the seed of the sample
 */
export async function atEachCut(play: (call: number) => Promise<boolean>): Promise<number> {
  const step = (most: number) => (playsWhole() ? 1 : 1 + Math.floor(random() * most))
  let reached = 0
  for (let call = step(furthestFirst); ; call += step(longestStep)) {
    const isCut = await play(call).catch((cause: unknown) => {
      throw new Error(`cut off at call ${call} (FC_SEED=${seed})`, { cause })
    })
    if (!isCut) return playsWhole() ? reached : reached + longestStep
    reached = call
  }
}
