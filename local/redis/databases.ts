/** The Redis servers of this machine, one for each database of the stock. The first one is also the gate's store. */
import { join } from 'node:path'
import { type ChildExit, reasonOf } from '../child.ts'
import type { Restarts } from '../restarts.ts'
import { deleteRedisData, type RunningRedis, startRedis } from './redis-server.ts'

/** Address, version and kind stay the same after a restart. */
type Database = { name: string } & Pick<RunningRedis, 'port' | 'version' | 'kind'>

/** Kills and restarts one server, for tests of a lost database. */
export type DatabaseControls = {
  /** Kills the server without a clean shutdown; its proxy stays and cannot reach it. */
  kill(name: string): Promise<void>
  /**
   * Restarts a killed server at its old address. `keepData` needs a system with a data folder.
   * @throws when the server runs, or its data cannot be kept
   */
  restart(name: string, options: { keepData: boolean }): Promise<void>
}

export type Databases = DatabaseControls & {
  /** At least one. */
  list: readonly [Database, ...Database[]]
  stop(): Promise<void>
}

export type DatabasesOptions = {
  count: number
  /** The first database stores its data here, the others in subfolders. */
  dataDir?: string
  log?: (line: string) => void
  /** Called if a server ends by itself. */
  ended: Restarts['ended']
}

const lostData =
  'empty, like a database that lost its data. The schedule rebuilds its sales from the table within a minute; ' +
  'to do it at once: npm run sale -- recover <sale>.'

/** Returns `main`, `db-2`, `db-3` and so on. */
const nameAt = (index: number) => (index === 0 ? 'main' : `db-${index + 1}`)

/** Returns the names of `count` databases; the first one is also the gate's store. */
export const databaseNames = (count: number) => Array.from({ length: count }, (_, index) => nameAt(index))

/**
 * Starts the servers; resolves once all are ready. A failed start stops the others.
 * @throws an error with the reason why there is no Redis
 */
export async function startDatabases(options: DatabasesOptions): Promise<Databases> {
  const { count, dataDir, log, ended } = options
  const running = new Map<string, RunningRedis>()
  const folderOf = (name: string) => (name === nameAt(0) ? dataDir : dataDir && join(dataDir, name))
  const start = async (name: string, port = 0): Promise<Database> => {
    const folder = folderOf(name)
    let redis: RunningRedis | undefined
    const onExit = (exit: ChildExit) => {
      // A server that ends during its start is a failed start.
      if (redis === undefined) return
      const { port, kind } = redis
      const hasData = folder !== undefined && kind === 'redis-server'
      running.delete(name)
      ended(count === 1 ? 'Redis' : `Redis (${name})`, reasonOf(exit), async () => {
        await start(name, port)
        return hasData ? 'with its data.' : lostData
      })
    }
    redis = await startRedis({ port, onExit, ...(folder && { dataDir: folder }), ...(log && { log }) })
    running.set(name, redis)
    const { version, kind } = redis
    return { name, port: redis.port, version, kind }
  }
  const stop = async () => {
    const all = [...running.values()]
    running.clear()
    await Promise.all(all.map((redis) => redis.stop()))
  }

  const names = databaseNames(count).slice(1)
  // The first one starts alone: it may have to unpack the program.
  const first = await start(nameAt(0))
  const starting = names.map((name) => start(name))
  await Promise.allSettled(starting)
  const others = await Promise.all(starting).catch(async (failure: unknown) => {
    await stop()
    throw failure
  })
  const list: Databases['list'] = [first, ...others]
  const find = (name: string): Database => {
    const found = list.find((database) => database.name === name)
    if (found !== undefined) return found
    throw new Error(`There is no database ${name}: ${list.map((database) => database.name).join(', ')}.`)
  }

  return {
    list,
    stop,
    async kill(name) {
      find(name)
      const redis = running.get(name)
      running.delete(name)
      await redis?.kill()
    },
    async restart(name, { keepData }) {
      const { port, kind } = find(name)
      const folder = folderOf(name)
      if (running.has(name)) throw new Error(`The database ${name} runs.`)
      if (keepData && (folder === undefined || kind !== 'redis-server')) {
        throw new Error(`The database ${name} keeps no data: start with a data folder and a redis-server.`)
      }
      if (!keepData && folder !== undefined) await deleteRedisData(folder)
      await start(name, port)
    },
  }
}

/** The fault `lose`: a database of the stock is down for a time, and restarts without its data. */
export type LostDatabases = {
  /**
   * Kills the server, and restarts it without its data after `forMs`. With 0 it resolves once the server runs.
   * @throws for an unknown name
   */
  lose(name: string, forMs: number): Promise<void>
  /** Restarts all lost databases now, or the named one. */
  restore(name?: string): Promise<void>
  /** Cancels the pending restarts. */
  stop(): Promise<void>
}

export function openLostDatabases({ kill, restart }: DatabaseControls, log: (line: string) => void): LostDatabases {
  const lost = new Map<string, NodeJS.Timeout>()
  const starting = new Set<Promise<void>>()

  const forget = (name: string) => {
    clearTimeout(lost.get(name))
    lost.delete(name)
  }
  const start = async (name: string) => {
    forget(name)
    const start = restart(name, { keepData: false })
    starting.add(start)
    await start.finally(() => starting.delete(start))
    log(`The database ${name} runs again, empty: the schedule rebuilds its sales within a minute.`)
  }

  return {
    async lose(name, forMs) {
      forget(name)
      await kill(name)
      if (forMs === 0) return start(name)
      const restore = () => void start(name).catch((failure: unknown) => log(String(failure)))
      lost.set(name, setTimeout(restore, forMs))
    },
    async restore(name) {
      const names = name === undefined ? [...lost.keys()] : [name].filter((one) => lost.has(one))
      await Promise.all(names.map(start))
    },
    async stop() {
      for (const name of [...lost.keys()]) forget(name)
      await Promise.allSettled(starting)
    },
  }
}
