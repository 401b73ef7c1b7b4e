/**
 * The other projects of the comparison: where their sources are, what a click on them is and how they answer it. Each is
 * a measured system in a process that ends with this one.
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { type Host, startHost } from '../../../local/process/rpc.ts'
import { postText } from '../load/http-text.ts'
import { type Expiry, losersPerOrder, type MeasuredSystem, partWithinMs } from './measured-system.ts'
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

/** `requires` is a file that its installation makes; `lanes` are the ways in which it is measured. */
type PeerProject = {
  option: 'jim' | 'lug'
  commit: string
  requires: string
  hostFile: URL
  click(shopper: string): { path: string; headers: Record<string, string>; body?: string }
  /** Patterns of status and body. */
  accepted: string
  soldOut: string
  lanes: readonly PeerLane[]
}

/** `programs` are those that work in it. */
type PeerLane = { name: string; programs: readonly string[]; writesOrders: boolean; expiry?: Expiry }

/** Its worker receives more than it can write at a time, and what it has received is given out again unless deleted by then. */
const visibilityOfJim: Expiry = {
  what: 'its queue gives a message that was received and not yet deleted to its worker again',
  // Its templates and its container leave it at the default of SQS, and so does our emulator.
  afterMs: 30_000,
}

export const peerProjects: readonly PeerProject[] = [
  {
    option: 'jim',
    commit: 'f452782',
    requires: 'node_modules/tsx/package.json',
    hostFile: new URL('./jim-host.ts', import.meta.url),
    click: (shopper) => ({
      path: '/sales/sale_sneaker_001/reservations',
      headers: { 'x-user-token': shopper, 'idempotency-key': shopper },
    }),
    accepted: '^200 .*"status":"RESERVED"',
    soldOut: '^200 .*"status":"SOLD_OUT"',
    lanes: [
      { name: 'JIM tuned', programs: ['API', 'worker'], writesOrders: true, expiry: visibilityOfJim },
      { name: 'JIM as shipped', programs: ['API'], writesOrders: false },
    ],
  },
  {
    option: 'lug',
    commit: '86c0b93',
    requires: 'apps/backend/dist/main.js',
    hostFile: new URL('./lug-host.ts', import.meta.url),
    click: (shopper) => ({
      path: '/api/v1/purchases',
      headers: { 'x-user-id': shopper, 'content-type': 'application/json' },
      body: '{"sku":"BENCH-1"}',
    }),
    accepted: '^200 .*"success":true',
    // With its last unit the sale has ended.
    soldOut: '^200 .*"code":"(?:SOLD_OUT|SALE_NOT_ACTIVE)"',
    lanes: [{ name: 'LUG', programs: ['API'], writesOrders: true }],
  },
]

const run = promisify(execFile)

/**
 * The folder of the project as an absolute path.
 * @throws when it has other sources, or was not installed and built
 */
export async function checkedFolder(project: PeerProject, given: string): Promise<string> {
  const { option, commit, requires } = project
  const folder = resolve(given)
  const { stdout } = await run('git', ['-C', folder, 'rev-parse', 'HEAD'])
  if (!stdout.startsWith(commit))
    throw new Error(`--${option}: ${folder} has the commit ${stdout.trim()}, not ${commit}`)
  if (!existsSync(join(folder, requires))) {
    throw new Error(`--${option}: ${folder} has no ${requires}; docs/how-to/load-test.md says how to install it`)
  }
  return folder
}
