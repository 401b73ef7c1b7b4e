/** The schedule of draws. */
import { tendDraws } from '../../../functions/sales/draw/tend-draws.ts'
import type { World } from '../world.ts'
import { everyMs } from './reconcile.ts'

/** Runs once a minute for `forMs`, and now and then twice at once, like all schedules. */
export async function runDraws({ simulation, functions }: World, forMs: number): Promise<void> {
  const { sleep, serve, random, now, profile } = simulation
  const run = async () => {
    const until = now() + forMs
    await functions.draws.run((ports) => tendDraws(ports, until))
  }
  for (;;) {
    const times = profile.rate > 0 && random.chance(0.1) ? 2 : 1
    for (let time = 0; time < times; time += 1) serve('draws', run)
    await sleep(everyMs)
  }
}
