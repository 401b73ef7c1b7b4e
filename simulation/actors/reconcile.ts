/** `reconcile`, run by the schedule or by a marketer on demand. */

import { holdAgeMs } from '../../functions/repair/compare-holds.ts'
import { minAgeMs } from '../../functions/repair/resend-outbox.ts'
import { reconcileAndTick } from '../../functions/repair/run.ts'
import type { World } from '../world.ts'

export const everyMs = 60_000

const scheduled = { minAgeMs, holdAgeMs, full: false }

/** Time a run may take of its thirty seconds, ms. */
const runMs = 25_000

/** Now and then the run stays with the sale for a while, as the tick does. */
const tickMs = 6000

async function runReconcile({ simulation, functions }: World): Promise<void> {
  const { now, random } = simulation
  await functions.reconcile.run(async (ports) => {
    const startedAt = now()
    const tickFor = random.chance(0.1) ? tickMs : 0
    await reconcileAndTick(ports, scheduled, { reconcile: startedAt + runMs, tick: startedAt + tickFor })
  })
}

/** Runs once a minute, and now and then twice at once: the schedule delivers at least once. */
export async function runSchedule(world: World): Promise<void> {
  const { simulation } = world
  const { random, sleep, profile } = simulation
  for (;;) {
    await sleep(everyMs)
    const times = profile.rate > 0 && random.chance(0.1) ? 2 : 1
    for (let time = 0; time < times; time += 1) simulation.serve('schedule', () => runReconcile(world))
  }
}
