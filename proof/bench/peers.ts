/**
 * Sluice beside two public projects with the same purpose: orders accepted and in the database, answers to losing
 * clicks, and what an order costs. All have the same load, in turns; a system that is not measured rests. An answer of
 * another kind than the wanted one ends the measurement. `docs/how-to/load-test.md` says how to get the projects and what
 * each leaves out.
 */
import { availableParallelism } from 'node:os'
import { type Host, startHost } from '../../local/process/rpc.ts'
import { atLeast, inTurns, type MeasuredLine, type Measurement } from './harness.ts'
import { withOwnSystem, withoutSchedule } from './own-system.ts'
import { type Clicked, type Clicks, clicked } from './peers/clicks.ts'
import type { MeasuredSystem } from './peers/measured-system.ts'
import { type RunningPeer, startPeer } from './peers/peer.ts'
import { peerProjects } from './peers/projects.ts'
import { measuredSluice, type RunningSluice } from './peers/sluice.ts'
import {
  addTimes,
  type Between,
  type Costs,
  costLines,
  costPerOrder,
  deployedUs,
  type ProcessorTime,
  readLoad,
} from './processor-time.ts'
import { median, spelled } from './statistics.ts'

/** Folders of the projects, and the orders of a round. */
export type PeersOptions = { jim?: string; lug?: string; orders: number }

export const usualOrders = 3000

/** As in `path`. */
const environments = 2

const rounds = 5

/** A process of `reserve` is young for so many orders (path.ts). */
const youngOrders = 3000

const [targetDurable, targetSoldOut, targetAccepted] = [3, 1.5, 3000]

/** @throws without a folder of one of the projects */
export async function measurePeers(options: PeersOptions): Promise<Measurement> {
  if (options.jim === undefined && options.lug === undefined) {
    throw new Error(
      'Name the folder of a project with --jim or --lug: docs/how-to/load-test.md has the recipe.',
    )
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

async function compare(
  options: PeersOptions,
  alone: RunningSluice,
  shared: RunningSluice,
): Promise<Measurement> {
  const { orders } = options
  const running: { stop(): Promise<void> }[] = []
  try {
    const load = startHost(new URL('./peers/load-host.ts', import.meta.url).href, 'inherit', (why) =>
      console.error(`the load has ended: ${why}`),
    )
    running.push({ stop: () => load.stop(1000) })
    const peers: RunningPeer[] = []
    for (const project of peerProjects) {
      const folder = options[project.option]
      if (folder === undefined) continue
      const peer = await startPeer(project, folder, orders)
      running.push(peer)
      peers.push(peer)
    }
    const ours = [
      await measuredSluice('Sluice, one at a time', alone, orders),
      await measuredSluice('Sluice, many at once', shared, orders),
    ]
    const systems = [...ours, ...peers.flatMap((peer) => peer.systems)]
    const warmUps = Math.ceil((youngOrders * environments) / orders)
    const turns = { rounds, warmUps, isRotated: true, step: 'peers' }
    const played = await inTurns(systems, turns, (system) => play(load, system))
    const costs = new Map<MeasuredSystem, Costs>()
    for (const system of ours) costs.set(system, await costsOf(load, system, played.get(system) ?? []))
    return summary(orders, systems, played, costs)
  } finally {
    for (const one of running.toReversed()) await one.stop()
  }
}

/** `durable` is 0 where orders stay in Redis; `resting` are the processors that the systems which rest used. */
export type PeerRound = Between & {
  accepted: number
  durable: number
  soldOut: number
  answer: Pick<Clicked, 'p50Ms' | 'p99Ms'>
  loadMs: number
  resting: number
}

const click = (load: Host, clicks: Clicks) => load.call('click', clicks, clicked)

async function play(load: Host, system: MeasuredSystem): Promise<PeerRound> {
  const { buys, losing } = await system.offer()
  const [loadBefore, before] = [readLoad(), await system.processorTime()]
  const bought = await click(load, buys)
  await system.untilWritten()
  const [after, loadAfter] = [await system.processorTime(), readLoad()]
  const lastAt = system.writesOrders ? await system.lastWrittenAt() : Number.POSITIVE_INFINITY
  await system.untilSoldOut()
  const lost = await click(load, losing)
  await system.rest()
  const ownMs = (loadAfter?.own ?? 0) - (loadBefore?.own ?? 0)
  const itsMs = sum(addTimes([{ before, after }])) + bought.loadMs
  return {
    ...{ before, after },
    accepted: buys.requests.length / bought.seconds,
    durable: (1000 * buys.requests.length) / (lastAt - bought.startedAt),
    soldOut: losing.requests.length / lost.seconds,
    answer: bought,
    loadMs: bought.loadMs,
    resting: Math.max(0, ownMs - itsMs) / ((loadAfter?.at ?? 0) - (loadBefore?.at ?? 0)),
  }
}

/** One more offer, to find how much of each process's time is deployed code. */
async function costsOf(load: Host, system: MeasuredSystem, spent: readonly PeerRound[]): Promise<Costs> {
  if (system.sampleWork === undefined) throw new Error(`${system.name} has no samples of its work`)
  const { buys } = await system.offer()
  const sampling = await system.sampleWork()
  await click(load, buys)
  await system.untilWritten()
  return costPerOrder(addTimes(spent), spent.length * buys.requests.length, await sampling.stop())
}

const sum = (time: ProcessorTime): number => [...time.values()].reduce((total, ms) => total + ms, 0)

/** The medians of all systems in rounds of `orders`, and the targets beside the projects that were measured. */
export function summary(
  orders: number,
  systems: readonly MeasuredSystem[],
  played: ReadonlyMap<MeasuredSystem, readonly PeerRound[]>,
  costs: ReadonlyMap<MeasuredSystem, Costs>,
): Measurement {
  const roundsOf = (system: MeasuredSystem | undefined) => (system && played.get(system)) ?? []
  const each = (what: string, show: (of: readonly PeerRound[], system: MeasuredSystem) => string) => ({
    what,
    value: systems.map((system) => show(roundsOf(system), system)),
  })
  const rate = (of: readonly PeerRound[], read: (round: PeerRound) => number) =>
    spelled(Math.round(median(of.map(read))))
  const usOf = (of: readonly PeerRound[]) => perOrder(addTimes(of), of.length * orders)
  const wholeUs = (of: readonly PeerRound[]) => sum(usOf(of))
  const ownUs = (of: readonly PeerRound[], system: MeasuredSystem) => {
    const found = costs.get(system)
    if (found !== undefined) return deployedUs(found)
    return system.ownParts.reduce((total, part) => total + (usOf(of).get(part) ?? 0), 0)
  }
  const bound = (of: readonly PeerRound[]) => {
    const loadUs = (1000 * median(of.map(({ loadMs }) => loadMs))) / orders
    return (availableParallelism() * 1_000_000) / (wholeUs(of) + loadUs)
  }
  return {
    name: `peers, ${spelled(orders)} orders`,
    heads: systems.map(({ name }) => name),
    lines: [
      ...targets(systems, roundsOf),
      each('orders accepted/s', (of) => rate(of, ({ accepted }) => accepted)),
      each('orders in the database/s', (of) => rate(of, ({ durable }) => durable)),
      each('answers to losing clicks/s', (of) => rate(of, ({ soldOut }) => soldOut)),
      each('processor time of an order, µs', (of) => wholeUs(of).toFixed(0)),
      each('of it the project’s own code, µs', (of, system) => ownUs(of, system).toFixed(0)),
      each('orders/s for which the processors are enough, with the load', (of) =>
        spelled(Math.round(bound(of))),
      ),
      each('answer to a buyer, p50 / p99 ms', (of) => {
        const show = (which: 'p50Ms' | 'p99Ms') => median(of.map(({ answer }) => answer[which]))
        return `${show('p50Ms')} / ${show('p99Ms')}`
      }),
      each('processors that resting systems used', (of) =>
        median(of.map(({ resting }) => resting)).toFixed(2),
      ),
      ...systems.flatMap((system) => partLines(system, costs.get(system), usOf(roundsOf(system)))),
    ],
  }
}

const perOrder = (spent: ProcessorTime, orders: number): ProcessorTime =>
  new Map([...spent].map(([part, ms]) => [part, (1000 * ms) / orders]))

/** The lanes of Sluice come first; it is judged by the one that answers one request at a time. */
function targets(
  systems: readonly MeasuredSystem[],
  roundsOf: (system: MeasuredSystem | undefined) => readonly PeerRound[],
): MeasuredLine[] {
  const named = (name: string) => systems.find((system) => system.name === name)
  const ours = systems.slice(0, 2)
  const ratios = (name: string, read: (round: PeerRound) => number) =>
    ours.map((system) => {
      const theirs = roundsOf(named(name))
      return median(roundsOf(system).map((round, at) => read(round) / read(theirs[at] ?? round)))
    })
  const beside = (name: string, what: string, read: (round: PeerRound) => number, least: number) => {
    if (named(name) === undefined) return []
    const found = ratios(name, read)
    const value = found.map((ratio) => ratio.toFixed(2))
    return [atLeast(`${what}, Sluice ÷ ${name}`, found[0] ?? Number.NaN, least, { value })]
  }
  const accepted = ours.map((system) => median(roundsOf(system).map((round) => round.accepted)))
  return [
    ...beside('LUG', 'orders in the database/s', ({ durable }) => durable, targetDurable),
    ...beside('JIM tuned', 'answers to losing clicks/s', ({ soldOut }) => soldOut, targetSoldOut),
    atLeast('orders accepted/s, Sluice with admission open', accepted[0] ?? Number.NaN, targetAccepted, {
      value: accepted.map((rate) => rate.toFixed(0)),
    }),
  ]
}

function partLines({ name }: MeasuredSystem, costs: Costs | undefined, us: ProcessorTime): MeasuredLine[] {
  if (costs !== undefined) {
    return costLines(costs).map(({ what, value }) => ({ what: `${what}; ${name}`, value }))
  }
  const parts = [...us].sort(([, a], [, b]) => b - a).map(([part, one]) => `${part} ${one.toFixed(0)}`)
  return [{ what: `processor time per order by part, µs; ${name}`, value: parts.join(', ') }]
}
