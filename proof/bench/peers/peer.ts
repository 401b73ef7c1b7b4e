/** Another project as a measured system, in a process that ends with this one. */
import * as z from 'zod/mini'
import { type Host, startHost } from '../../../local/process/rpc.ts'
import { postText } from '../load/http-text.ts'
import { losersPerOrder, type MeasuredSystem, partWithinMs } from './measured-system.ts'
import { checkedFolder, type PeerLane, type PeerProject } from './projects.ts'
import { peerLeaveMs } from './serve-peer.ts'

export type RunningPeer = { systems: readonly MeasuredSystem[]; stop(): Promise<void> }

/** Starts the project in the folder, to sell `orders` in a round. @throws when it cannot run there */
export async function startPeer(project: PeerProject, given: string, orders: number): Promise<RunningPeer> {
  const folder = await checkedFolder(project, given)
  let running = await startProject(project, folder)
  let restarts = 0
  const stop = () => running.host.stop(peerLeaveMs)
  const process: PeerProcess = {
    running: () => running,
    restarts: () => restarts,
    async restart() {
      restarts += 1
      await stop()
      running = await startProject(project, folder)
    },
  }
  return { systems: project.lanes.map((lane) => measuredPeer(process, { ...project, ...lane, orders })), stop }
}

type RunningProject = { host: Host; port: number }

async function startProject({ hostFile }: PeerProject, folder: string): Promise<RunningProject> {
  const host = startHost(hostFile.href, 'inherit', (why) => console.error(`${folder}: ${why}`))
  try {
    return { host, ...(await host.start({ folder }, z.object({ port: z.number() }))) }
  } catch (failure) {
    await host.stop(peerLeaveMs)
    throw failure
  }
}

/** The process that runs the project; after `restart` it is another one, with empty stores. */
type PeerProcess = { running(): RunningProject; restarts(): number; restart(): Promise<void> }

type PeerSettings = PeerProject & PeerLane & { orders: number }

function measuredPeer({ running, restarts, restart }: PeerProcess, settings: PeerSettings): MeasuredSystem {
  const { click, accepted, soldOut, name, programs, writesOrders, expiry, orders } = settings
  const call: Host['call'] = (method, params, schema) => running().host.call(method, params, schema)
  let [offers, lastAt, restartsBefore] = [0, Number.NaN, 0]
  const textsOf = (kind: string, count: number) =>
    Array.from({ length: count }, (_, number) => postText(running().port, click(`${kind}-${number}-${offers}`)))
  return {
    name,
    writesOrders,
    ...(expiry !== undefined && { expiry }),
    async offer() {
      offers += 1
      await call('offer', { stock: orders, programs }, z.null())
      const { port } = running()
      return {
        buys: { port, requests: textsOf('buyer', orders), wanted: accepted },
        losing: { port, requests: textsOf('loser', losersPerOrder * orders), wanted: soldOut },
      }
    },
    async untilWritten() {
      const writing = { count: orders, withinMs: partWithinMs }
      lastAt = writesOrders ? await call('untilWritten', writing, z.number()) : Number.NaN
    },
    lastWrittenAt: async () => lastAt,
    untilSoldOut: async () => {},
    async rest() {
      await call('rest', null, z.null())
      restartsBefore = restarts()
    },
    recover: restart,
    isYoung: () => restarts() > restartsBefore,
    processorTime: async () =>
      new Map(Object.entries(await call('processorTime', null, z.record(z.string(), z.number())))),
  }
}
