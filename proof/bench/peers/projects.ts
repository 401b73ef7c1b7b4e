/** The other projects of the comparison: where their sources are, what a click on them is and how they answer it. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Expiry } from './measured-system.ts'

/** `requires` is a file that its installation makes; `lanes` are the ways in which it is measured. */
export type PeerProject = {
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
export type PeerLane = { name: string; programs: readonly string[]; writesOrders: boolean; expiry?: Expiry }

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
