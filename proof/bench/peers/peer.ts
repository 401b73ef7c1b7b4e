/** Another project as a measured system, in a process that ends with this one. */
import * as z from 'zod/mini'
import { type Host, startHost } from '../../../local/process/rpc.ts'
import { losersPerOrder } from './clicks.ts'
import { postText } from './http-text.ts'
import type { MeasuredSystem } from './measured-system.ts'
import { checkedFolder, type PeerLane, type PeerProject } from './projects.ts'
import { peerLeaveMs } from './serve-peer.ts'

export type RunningPeer = { systems: readonly MeasuredSystem[]; stop(): Promise<void> }

/** Starts the project in the folder, to sell `orders` in a round. @throws when it cannot run there */
export async function startPeer(project: PeerProject, given: string, orders: number): Promise<RunningPeer> {
  const folder = await checkedFolder(project, given)
  const host = startHost(project.hostFile.href, 'inherit', (why) => console.error(`${folder}: ${why}`))
  const stop = () => host.stop(peerLeaveMs)
  try {
    const { port } = await host.start({ folder }, z.object({ port: z.number() }))
    const systems = project.lanes.map((lane) => measuredPeer(host, { ...project, ...lane, port, orders }))
    return { systems, stop }
  } catch (failure) {
    await stop()
    throw failure
  }
}

type PeerSettings = PeerProject & PeerLane & { port: number; orders: number }

function measuredPeer(host: Host, settings: PeerSettings): MeasuredSystem {
  const { click, accepted, soldOut, name, programs, writesOrders, port, orders } = settings
  let [offers, lastAt] = [0, Number.NaN]
  const textsOf = (kind: string, count: number) =>
    Array.from({ length: count }, (_, number) => postText(port, click(`${kind}-${number}-${offers}`)))
  return {
    name,
    writesOrders,
    ownParts: programs,
    async offer() {
      offers += 1
      await host.call('offer', { stock: orders, programs }, z.null())
      return {
        buys: { port, requests: textsOf('buyer', orders), wanted: accepted },
        losing: { port, requests: textsOf('loser', losersPerOrder * orders), wanted: soldOut },
      }
    },
    async untilWritten() {
      lastAt = writesOrders ? await host.call('untilWritten', orders, z.number()) : Number.NaN
    },
    lastWrittenAt: async () => lastAt,
    untilSoldOut: async () => {},
    async rest() {
      await host.call('rest', null, z.null())
    },
    processorTime: async () =>
      new Map(Object.entries(await host.call('processorTime', null, z.record(z.string(), z.number())))),
  }
}
