/**
 * The other projects of the comparison: their sources, the requests of a click and the patterns of the answers. Each
 * runs in a child process that ends with this one.
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { type Host, startHost } from '../../../local/process/rpc.ts'
import { postText } from '../load/http-text.ts'
import { type Expiry, losingClicksPerOrder, type MeasuredSystem, partTimeoutMs } from './measured-system.ts'
import { peerStopMs } from './serve-peer.ts'

export type RunningPeer = { systems: readonly MeasuredSystem[]; stop(): Promise<void> }

/** Starts the project in the folder `given`. @throws when it cannot run there */
export async function startPeer(project: PeerProject, given: string, orders: number): Promise<RunningPeer> {
  const folder = await checkedFolder(project, given)
  let running = await startProject(project, folder)
  let restarts = 0
  const stop = () => running.host.stop(peerStopMs)
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
    await host.stop(peerStopMs)
    throw failure
  }
}

/** The process that runs the project; `restart` replaces it and empties its stores. */
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
        buys: { port, requests: textsOf('buyer', orders), expected: accepted },
        losing: { port, requests: textsOf('loser', losingClicksPerOrder * orders), expected: soldOut },
      }
    },
    async untilWritten() {
      const writing = { count: orders, timeoutMs: partTimeoutMs }
      lastAt = writesOrders ? await call('untilWritten', writing, z.number()) : Number.NaN
    },
    lastWrittenAt: async () => lastAt,
    untilSoldOut: async () => {},
    async pause() {
      await call('rest', null, z.null())
      restartsBefore = restarts()
    },
    recover: restart,
    needsWarmUp: () => restarts() > restartsBefore,
    processorTime: async () =>
      new Map(Object.entries(await call('processorTime', null, z.record(z.string(), z.number())))),
  }
}

/** `requires` is a file that its installation creates; `lanes` are the configurations in which it is measured. */
type PeerProject = {
  option: 'jim' | 'lug'
  commit: string
  requires: string
  hostFile: URL
  click(shopper: string): { path: string; headers: Record<string, string>; body?: string }
  /** Pattern of status and body, as is `soldOut`. */
  accepted: string
  soldOut: string
  lanes: readonly PeerLane[]
}

/** `programs` run in this lane; the others are paused. */
type PeerLane = { name: string; programs: readonly string[]; writesOrders: boolean; expiry?: Expiry }

/** Its worker receives more messages than it can write at a time, and SQS redelivers those that are not deleted in time. */
const visibilityOfJim: Expiry = {
  what: 'its queue gives a message that was received and not yet deleted to its worker again',
  // The default of SQS, which its templates, its container and the local emulator keep.
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
    // The sale ends with its last unit.
    soldOut: '^200 .*"code":"(?:SOLD_OUT|SALE_NOT_ACTIVE)"',
    lanes: [{ name: 'LUG', programs: ['API'], writesOrders: true }],
  },
]

const run = promisify(execFile)

/**
 * Returns the folder of the project as an absolute path.
 * @throws when it has another commit, or was not installed and built
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
