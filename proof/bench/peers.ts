/**
 * Compares Sluice with two public projects of the same purpose: orders accepted, orders in the database, answers to
 * losing clicks, and the cost of an order. All get the same load, one after the other; the others are paused meanwhile.
 * An unexpected or late answer ends the lane of that system in that round only; the table shows how often and why.
 * `docs/how-to/load-test.md` explains how to get the projects and which features each lacks.
 */
import { type Measurement, playRounds } from './harness.ts'
import { type LoadProcess, startLoad } from './load/clicks.ts'
import { withOwnSystem, withoutSchedule } from './own-system.ts'
import { connections, losingClicksPerOrder, type MeasuredSystem, partTimeoutMs } from './peers/measured-system.ts'
import { peerProjects, type RunningPeer, startPeer } from './peers/peer.ts'
import { measuredSluice, type RunningSluice } from './peers/sluice.ts'
import { type PeerFailure, type PeerRound, type PlayedLane, summary } from './peers/table.ts'
import { formatCount } from './statistics.ts'

/** Folders of the projects, and the number of orders in a round. */
export type PeersOptions = { jim?: string; lug?: string; orders: number }

/**
 * The slowest system wrote 119 orders a second on a busy machine (docs/reference/benchmarks.md), so its round is
 * written within 13 s: less than half of the visibility timeout of JIM's queue (`Expiry`).
 */
export const usualPeers = { orders: 1500 }

/** Processes of `reserve`, each answering one request at a time. More of them than processors slow each other down. */
const environments = 2

const rounds = 5

/**
 * Orders until a process of `reserve` is warm: the first 500 cost 3.5 times as much processor time as those after
 * 2,500, the next 500 twice as much.
 */
const warmUpOrders = 3000

const print = (line: string) => console.error(`peers: ${line}`)

/** @throws when no folder of a project is given */
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
    const warmUps = Math.ceil((warmUpOrders * environments) / orders)
    announce(options, systems, warmUps)
    const failures = new Map<MeasuredSystem, PeerFailure[]>()
    /** A system that fails loses its lane of that round; the lanes of the others count. */
    const playAt = async (system: MeasuredSystem, when: string): Promise<PeerRound | undefined> => {
      try {
        const result = await play(load, system)
        print(`${when}, ${system.name}: ${ratesOf(result)}`)
        return result
      } catch (failure) {
        // A process reports the stack of an error; its first line is the message.
        const [why = ''] = String(failure instanceof Error ? failure.message : failure).split('\n', 1)
        failures.set(system, [...(failures.get(system) ?? []), { when, why }])
        print(`${when}, ${system.name}: FAILED: ${why}`)
        await system.recover().catch((why: unknown) => print(`${system.name} did not recover: ${why}`))
        return undefined
      }
    }
    const played = await playRounds(systems, { rounds, warmUps, isRotated: true }, async (system, round) => {
      const when = round > 0 ? `round ${round} of ${rounds}` : `warm-up ${round + warmUps} of ${warmUps}`
      // A restarted system would be measured too slow.
      if (round > 0 && system.needsWarmUp()) await playAt(system, `warm-up before ${when}`)
      return round > 0 && system.needsWarmUp() ? undefined : playAt(system, when)
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
  const clicks = `${formatCount(orders)} orders and ${formatCount(losingClicksPerOrder * orders)} losing clicks`
  print(`${rounds} rounds of ${clicks}, after ${warmUps} that do not count`)
  print(`each part of a lane has ${partTimeoutMs / 1000} s`)
  for (const { name, expiry } of systems) {
    if (expiry !== undefined) print(`${name}: ${expiry.what} after ${expiry.afterMs / 1000} s, so a round ends before`)
  }
}

const ratesOf = ({ accepted, durable, soldOut, writtenMs }: PeerRound): string => {
  const rate = (perSecond: number) => formatCount(Math.round(perSecond))
  const written =
    durable === 0 ? '' : `, ${rate(durable)} in the database/s (the last after ${(writtenMs / 1000).toFixed(1)} s)`
  return `${rate(accepted)} orders accepted/s${written}, ${rate(soldOut)} losing clicks/s`
}

const how = { connections, timeoutMs: partTimeoutMs }

/** @throws when an answer does not match or is too late */
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
  await system.pause()
  return {
    ...{ before, after, writtenMs },
    accepted: buys.requests.length / bought.seconds,
    durable: (1000 * buys.requests.length) / writtenMs,
    soldOut: losing.requests.length / lost.seconds,
    answer: bought,
  }
}

/**
 * Rejects a round that took longer than the system's own timeouts (`Expiry`): redelivered messages are not part of the
 * comparison.
 */
function refuseExpired({ expiry, writesOrders }: MeasuredSystem, writtenMs: number): void {
  if (expiry === undefined || !writesOrders || writtenMs <= expiry.afterMs) return
  const seconds = (ms: number) => (ms / 1000).toFixed(0)
  throw new Error(
    `its last order was written after ${seconds(writtenMs)} s, and ${expiry.what} after ${seconds(expiry.afterMs)} s: take fewer orders (--orders)`,
  )
}
