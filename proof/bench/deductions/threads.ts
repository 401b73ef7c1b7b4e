/** Runs clients in separate threads, over one SQLite file and one shared memory. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { DrawnRound, PlayedRound } from './round.ts'
import type { ThreadRound, ThreadSetup, ThreadTimes, ThreadWay } from './thread.ts'

export type Threads = Awaited<ReturnType<typeof openThreads>>

/** Starts `clients` threads. SQLite has its default durability: a commit returns after it is on disk. */
export async function openThreads(clients: number) {
  const folder = await mkdtemp(join(tmpdir(), 'deducting-'))
  const file = join(folder, 'stock.db')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE stock (left INTEGER); INSERT INTO stock VALUES (0)')
  const fillRow = database.prepare('UPDATE stock SET left = ?')
  const readRow = database.prepare('SELECT left FROM stock')
  const counters = new Int32Array(new SharedArrayBuffer(16))

  const threads: Worker[] = []
  const close = async () => {
    await Promise.all(threads.map((thread) => thread.terminate()))
    database.close()
    await rm(folder, { recursive: true })
  }
  try {
    for (let client = 0; client < clients; client += 1) {
      const setup: ThreadSetup = { file, client, clients, counters }
      const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: setup, execArgv: [] })
      threads.push(thread)
      await once(thread, 'message')
    }
  } catch (error) {
    await close()
    throw error
  }

  const fill = (stock: number) => {
    fillRow.run(stock)
    counters.set([0, stock, 0, stock])
  }
  const leftIn = (way: ThreadWay, stock: number) => {
    const [, first = 0, , second = 0] = counters
    if (way === 'oneServer') return first
    // Both servers sell from one stock.
    if (way === 'twoServers') return first + second - stock
    return Number(readRow.get()?.left)
  }
  return {
    close,
    async play(way: ThreadWay, { stock, quantities }: DrawnRound): Promise<PlayedRound> {
      fill(stock)
      const won = new Uint8Array(new SharedArrayBuffer(quantities.length))
      const threadRound: ThreadRound = {
        way,
        ready: new Int32Array(new SharedArrayBuffer(4)),
        quantities: shared(quantities),
        won,
      }
      const ends = threads.map((thread) => once(thread, 'message'))
      for (const thread of threads) thread.postMessage(threadRound)
      const times = (await Promise.all(ends)).map(([each]): ThreadTimes => each)
      const wallMs = Math.max(...times.map(({ to }) => to)) - Math.min(...times.map(({ from }) => from))
      return { won: won.slice(), left: leftIn(way, stock), wallMs }
    },
  }
}

function shared(values: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(values.length))
  copy.set(values)
  return copy
}
