/**
 * One client of the ways that need threads. It has its own connection to the database file and shares memory with the
 * other threads. Threads run in parallel, so other clients can run between two statements.
 */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

export type ThreadWay = 'update' | 'selectUpdate' | 'locked' | 'conditional' | 'oneServer' | 'twoServers'

/** `counters` is shared memory: lock and units left of the first server, then of the second. */
export type ThreadSetup = { file: string; client: number; clients: number; counters: Int32Array }

/** All arrays are shared. Client `c` of `n` sends every `n`th request, from number `c` on. */
export type ThreadRound = { way: ThreadWay; ready: Int32Array; quantities: Uint8Array; won: Uint8Array }

/** When a client sent its first request and had its last answer, epoch ms. */
export type ThreadTimes = { from: number; to: number }

/** How long a statement waits for a lock (S20). */
const busyTimeoutMs = 60_000

const { file, client, clients, counters } = workerData as ThreadSetup
const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
const select = database.prepare('SELECT left FROM stock')
const subtract = database.prepare('UPDATE stock SET left = left - ?')
const subtractIfEnough = database.prepare('UPDATE stock SET left = left - ? WHERE left >= ?')
const lockForWriting = database.prepare('BEGIN IMMEDIATE')
const commit = database.prepare('COMMIT')

/** Take the units and return whether the caller has them (S10, S12). */
const ways: Record<ThreadWay, (units: number) => boolean> = {
  update(units) {
    subtract.run(units)
    return true
  },
  selectUpdate(units) {
    const isEnough = unitsLeft() >= units
    if (isEnough) subtract.run(units)
    return isEnough
  },
  locked(units) {
    lockForWriting.run()
    const isEnough = ways.selectUpdate(units)
    commit.run()
    return isEnough
  },
  conditional: (units) => subtractIfEnough.run(units, units).changes === 1,
  oneServer: (units) => takeFromMemory(0, units),
  twoServers: (units) => takeFromMemory(client % 2, units),
}

function unitsLeft(): number {
  return Number(select.get()?.left)
}

function takeFromMemory(server: number, units: number): boolean {
  const [lock, left] = [2 * server, 2 * server + 1]
  while (Atomics.compareExchange(counters, lock, 0, 1) !== 0) Atomics.wait(counters, lock, 1)
  const before = counters[left] ?? 0
  if (before >= units) counters[left] = before - units
  Atomics.store(counters, lock, 0)
  Atomics.notify(counters, lock, 1)
  return before >= units
}

/** Waits until every client is ready: otherwise a fast one would be done before the last one starts. */
function waitForOthers(ready: Int32Array): void {
  if (Atomics.add(ready, 0, 1) + 1 === clients) Atomics.notify(ready, 0)
  for (let count = Atomics.load(ready, 0); count < clients; count = Atomics.load(ready, 0)) {
    Atomics.wait(ready, 0, count)
  }
}

const epochMs = () => performance.timeOrigin + performance.now()

parentPort?.on('message', ({ way, ready, quantities, won }: ThreadRound) => {
  const take = ways[way]
  waitForOthers(ready)
  const from = epochMs()
  for (let at = client; at < quantities.length; at += clients) {
    if (take(quantities[at] ?? 0)) won[at] = 1
  }
  const times: ThreadTimes = { from, to: epochMs() }
  parentPort?.postMessage(times)
})
parentPort?.postMessage('connected')
