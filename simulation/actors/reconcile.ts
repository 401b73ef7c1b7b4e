/** The scheduled repair, as the schedule calls it and as a marketer may on demand. */

import { holdAgeMs } from '../../functions/repair/compare-holds.ts'
import { minAgeMs } from '../../functions/repair/dispatch-outbox.ts'
import { reconcileAndTick } from '../../functions/repair/run.ts'
import type { World } from '../world.ts'

export const everyMs = 60_000

const scheduled = { minAgeMs, holdAgeMs, full: false }

/** Time a run may take of the thirty seconds it has, ms. */
const runMs = 25_000

/** Now and then it stays with the sale for a while. */
const tickMs = 6000

export async function runReconcile({ simulation, functions }: World): Promise<void> {
  const { now, dice } = simulation
  await functions.reconcile.run(async (ports) => {
    const startedAt = now()
    const tickFor = dice.chance(0.1) ? tickMs : 0
    await reconcileAndTick(ports, scheduled, { reconcile: startedAt + runMs, tick: startedAt + tickFor })
  })
}

/** Once a minute, and now and then twice at once, as a schedule that promises at least once. */
export async function keepSchedule(world: World): Promise<void> {
  const { simulation } = world
  const { dice, sleep, weather } = simulation
  for (;;) {
    await sleep(everyMs)
    const times = weather.rate > 0 && dice.chance(0.1) ? 2 : 1
    for (let time = 0; time < times; time += 1) simulation.serve('schedule', () => runReconcile(world))
  }
}
