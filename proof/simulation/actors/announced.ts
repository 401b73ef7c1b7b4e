/** A sale of red packets whose split is announced: it is warmed hours before its start, and the schedule of draws publishes what shoppers check. */
import type { SaleDefinition } from '../../../core/sale/sale.ts'
import { drawFaultProfile, endFaults } from '../engine/faults.ts'
import type { Random } from '../engine/random.ts'
import type { World } from '../world.ts'
import { runDraws } from './draws.ts'
import { sendCommandUntilFinal } from './marketer.ts'
import { runMs, runSchedule } from './reconcile.ts'

/** `leadMs` is the time from the definition to the start. With `earlyMs` a marketer starts the sale so long before. */
export type Announced = { leadMs: number; beaconLateMs: number; earlyMs: number | undefined }

const minuteMs = 60_000
/** The least time before the start, and what faults may take of it before the sale is warmed. */
const leastLeadMs = 125 * minuteMs
/** The packets are split in this time before the start. Before, nothing happens for hours. */
const splittingMs = 15 * minuteMs

export function drawAnnounced(random: Random): Announced {
  const [lead, late, early] = [1, 1, 1].map(() => random.spread(1000, 14 * minuteMs))
  return {
    leadMs: leastLeadMs + (lead ?? 0),
    beaconLateMs: random.chance(0.5) ? 0 : (late ?? 0),
    earlyMs: random.chance(0.2) ? early : undefined,
  }
}

/** Warms the sale, lets it wait, and resolves at its start; its packets may not be loaded by then. */
export async function openAnnounced(
  world: World,
  definition: SaleDefinition,
  { beaconLateMs, earlyMs }: Announced,
): Promise<void> {
  const { simulation, saleId, draws } = world
  const { serve, spawn, sleep, now, profile, random } = simulation
  draws.lateMs = beaconLateMs
  await sendCommandUntilFinal(world, 'sales', definition)
  while (!(await world.sale()).warmed) await sendCommandUntilFinal(world, `sales/${saleId}/warm`)
  while ((await world.sale()).flag !== 'on') await sendCommandUntilFinal(world, `sales/${saleId}/start`, { now: false })
  serve('draws', () => runDraws(world, runMs))
  const until = (time: number) => sleep(time - now())
  const { startsAt } = definition
  await until(startsAt - splittingMs)
  Object.assign(profile, drawFaultProfile(random))
  serve('schedule', () => runSchedule(world))
  if (earlyMs !== undefined) {
    await until(startsAt - earlyMs)
    let isStarted = false
    // Where faults are frequent, no try to start gets through all its steps.
    spawn('faults', async () => {
      await until(startsAt)
      if (!isStarted) endFaults(profile)
    })
    await sendCommandUntilFinal(world, `sales/${saleId}/start`, { now: true })
    isStarted = true
  }
  await until((await world.sale()).startsAt)
  endFaults(profile)
}
