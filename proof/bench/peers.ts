/**
 * Sluice beside two public projects with the same purpose: orders accepted and in the database, answers to losing
 * clicks, and what an order costs. All have the same load, in turns; a system that is not measured rests. An answer of
 * another kind than the wanted one, or one that is too late, ends the lane of that system in that round and no more; the
 * table says how often and why. `docs/how-to/load-test.md` says how to get the projects and what each leaves out.
 */
import { inTurns, type Measurement } from './harness.ts'
import { type LoadProcess, startLoad } from './load/clicks.ts'
import { withOwnSystem, withoutSchedule } from './own-system.ts'
import { connections, losersPerOrder, type MeasuredSystem, partWithinMs } from './peers/measured-system.ts'
import { peerProjects, type RunningPeer, startPeer } from './peers/peer.ts'
import { measuredSluice, type RunningSluice } from './peers/sluice.ts'
import { type PeerFailure, type PeerRound, type PlayedLane, summary } from './peers/table.ts'
import { spelled } from './statistics.ts'

/** Folders of the projects, and the orders of a round. */
export type PeersOptions = { jim?: string; lug?: string; orders: number }

/**
 * The slowest system wrote 119 orders a second beside other work (docs/reference/benchmarks.md), so its round is written
 * within 13 s: less than half of what the queue of JIM waits before it repeats a message (`Expiry`).
 */
export const usualPeers = { orders: 1500 }

/** Processes of `reserve`, each of which answers one request at a time; more of them than processors displace each other. */
const environments = 2

const rounds = 5

/**
 * A process of `reserve` is young for so many orders: of `reserve` alone, the first 500 cost 3.5 times as much processor
 * time as those after 2,500, the next 500 twice as much.
 */
const youngOrders = 3000

const print = (line: string) => console.error(`peers: ${line}`)

/** @throws without a folder of one of the projects */
export async function measurePeers(options: PeersOptions): Promise<Measurement> {
  if (options.jim === undefined && options.lug === undefined) {
    throw new Error('Name the folder of a project with --jim or --lug: docs/how-to/load-test.md has the recipe.')
  }
  return withOwnSystem(
    (system, stack) =>
      withOwnSystem(
        (shared, sharedStack) => compare(options, { system, stack }, { system: shared, stack: sharedStack }),
        withoutSchedule,
      ),
    { ...withoutSchedule, environments },
  )
}

async function compare(options: PeersOptions, alone: RunningSluice, shared: RunningSluice): Promise<Measurement> {
  const { orders } = options
  const running: { stop(): Promise<void> }[] = []
  try {
    const load = startLoad()
    running.push(load)
    const peers: RunningPeer[] = []
    for (const project of peerProjects) {
      const folder = options[project.option]
      if (folder === undefined) continue
      const peer = await startPeer(project, folder, orders)
      running.push(peer)
      peers.push(peer)
    }
    const systems = [
      await measuredSluice('Sluice, one at a time', alone, orders),
      await measuredSluice('Sluice, many at once', shared, orders),
      ...peers.flatMap((peer) => peer.systems),
    ]
    const warmUps = Math.ceil((youngOrders * environments) / orders)
    announce(options, systems, warmUps)
    const failures = new Map<MeasuredSystem, PeerFailure[]>()
    /** A system that fails loses its lane of that round, and the lanes of the others count. */
    const playAt = async (system: MeasuredSystem, when: string): Promise<PeerRound | undefined> => {
      try {
        const result = await play(load, system)
        print(`${when}, ${system.name}: ${ratesOf(result)}`)
        return result
      } catch (failure) {
        // A process reports the stack of an error, of which the first line says what happened.
        const [why = ''] = String(failure instanceof Error ? failure.message : failure).split('\n', 1)
        failures.set(system, [...(failures.get(system) ?? []), { when, why }])
        print(`${when}, ${system.name}: FAILED: ${why}`)
        await system.recover().catch((why: unknown) => print(`${system.name} did not recover: ${why}`))
        return undefined
      }
    }
    const played = await inTurns(systems, { rounds, warmUps, isRotated: true }, async (system, round) => {
      const when = round > 0 ? `round ${round} of ${rounds}` : `warm-up ${round + warmUps} of ${warmUps}`
      // A system that was started again would be slower than it is.
      if (round > 0 && system.isYoung()) await playAt(system, `warm-up before ${when}`)
      return round > 0 && system.isYoung() ? undefined : playAt(system, when)
    })
    const lanes = systems.map(
      (system): PlayedLane => ({ system, rounds: played.get(system) ?? [], failures: failures.get(system) ?? [] }),
    )
    return summary(orders, lanes)
  } finally {
    for (const one of running.toReversed()) await one.stop()
  }
}

function announce({ orders }: PeersOptions, systems: readonly MeasuredSystem[], warmUps: number): void {
  const clicks = `${spelled(orders)} orders and ${spelled(losersPerOrder * orders)} losing clicks`
  print(`${rounds} rounds of ${clicks}, after ${warmUps} that do not count`)
  print(`each part of a lane has ${partWithinMs / 1000} s`)
  for (const { name, expiry } of systems) {
    if (expiry !== undefined) print(`${name}: ${expiry.what} after ${expiry.afterMs / 1000} s, so a round ends before`)
  }
}

const ratesOf = ({ accepted, durable, soldOut, writtenMs }: PeerRound): string => {
  const rate = (perSecond: number) => spelled(Math.round(perSecond))
  const written =
    durable === 0 ? '' : `, ${rate(durable)} in the database/s (the last after ${(writtenMs / 1000).toFixed(1)} s)`
  return `${rate(accepted)} orders accepted/s${written}, ${rate(soldOut)} losing clicks/s`
}

const how = { connections, withinMs: partWithinMs }

/** @throws when an answer is not the wanted one, or something of it is too late */
async function play(load: LoadProcess, system: MeasuredSystem): Promise<PeerRound> {
  const { buys, losing } = await system.offer()
  const before = await system.processorTime()
  const bought = await load.click(buys, how)
  await system.untilWritten()
  const after = await system.processorTime()
  const lastAt = system.writesOrders ? await system.lastWrittenAt() : Number.POSITIVE_INFINITY
  const writtenMs = lastAt - bought.startedAt
  refuseExpired(system, writtenMs)
  await system.untilSoldOut()
  const lost = await load.click(losing, how)
  await system.rest()
  return {
    ...{ before, after, writtenMs },
    accepted: buys.requests.length / bought.seconds,
    durable: (1000 * buys.requests.length) / writtenMs,
    soldOut: losing.requests.length / lost.seconds,
    answer: bought,
  }
}

/** What the system repeats or ends by itself is no part of the comparison: such a round had too many orders. */
function refuseExpired({ expiry, writesOrders }: MeasuredSystem, writtenMs: number): void {
  if (expiry === undefined || !writesOrders || writtenMs <= expiry.afterMs) return
  const seconds = (ms: number) => (ms / 1000).toFixed(0)
  throw new Error(
    `its last order was written after ${seconds(writtenMs)} s, and ${expiry.what} after ${seconds(expiry.afterMs)} s: take fewer orders (--orders)`,
  )
}
