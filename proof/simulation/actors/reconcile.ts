/** Runs `reconcile` on its schedule and after wake-up messages. */
import { minAgeMs } from '../../../functions/recovery/orders/resend-outbox.ts'
import { holdAgeMs } from '../../../functions/recovery/stock/compare-holds.ts'
import { handleWakeups, reconcileAndTick } from '../../../functions/repair/run.ts'
import type { World } from '../world.ts'

export const scheduleEveryMs = 60_000

const scheduled = { minAgeMs, holdAgeMs, full: false }

/** The limit of a run, ms; the function times out after thirty seconds. */
const runMs = 25_000

/** Duration of a tick, which some runs have, ms. */
const tickMs = 6000

/**
 * The units of a split stock move only in ticks, so each run has one. While faults end runs early, there are more runs;
 * afterwards a tick is just long enough to complete open transfers.
 */
const splitTickMs = { faults: 8000, shoppers: 8000, rest: 600 }
const splitEveryMs = 15_000

async function runReconcile(world: World): Promise<void> {
  const { now } = world.simulation
  await world.functions.reconcile.run(async (ports) => {
    const startedAt = now()
    const tickFor = await drawTickMs(world)
    await reconcileAndTick(ports, scheduled, { reconcile: startedAt + runMs, tick: startedAt + tickFor })
  })
}

async function drawTickMs({ simulation, stocks, saleId }: World): Promise<number> {
  if ((await stocks.shardCount(saleId)) === 1) return simulation.random.chance(0.1) ? tickMs : 0
  if (simulation.profile.rate > 0) return splitTickMs.faults
  return simulation.unfinished().people > 0 ? splitTickMs.shoppers : splitTickMs.rest
}

/** Handles wake-up messages with a shorter tick than in the cloud. */
export async function runWakeups(
  ports: Parameters<typeof handleWakeups>[0],
  messages: readonly { body: string }[],
): Promise<readonly string[]> {
  const bodies = messages.map(({ body }) => body)
  await handleWakeups(ports, bodies, ports.clock() + tickMs)
  return []
}

/** Runs once a minute, and sometimes twice at once: the schedule delivers at least once. */
export async function runSchedule(world: World): Promise<void> {
  const { simulation, shards } = world
  const { random, sleep, profile } = simulation
  // A run that began before the sale is still running.
  if (shards > 1) simulation.serve('schedule', () => runReconcile(world))
  for (;;) {
    await sleep(shards > 1 && profile.rate > 0 ? splitEveryMs : scheduleEveryMs)
    const times = profile.rate > 0 && random.chance(0.1) ? 2 : 1
    for (let time = 0; time < times; time += 1) simulation.serve('schedule', () => runReconcile(world))
  }
}
