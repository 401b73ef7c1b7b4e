/** The fault `lose`: a database of the stock that is gone for a time, and comes back without its data. */
import type { DatabaseControls } from './databases.ts'

export type LostDatabases = {
  /**
   * Kills the server, and starts it again without its data after `forMs`. 0: resolves once it runs again.
   * @throws for a server that is not ours to end
   */
  lose(name: string, forMs: number): Promise<void>
  /** Starts the lost ones again now, or the one that is named. */
  comeBack(name?: string): Promise<void>
  /** Leaves the lost ones ended. */
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
      const comeBack = () => void start(name).catch((failure: unknown) => log(String(failure)))
      lost.set(name, setTimeout(comeBack, forMs))
    },
    async comeBack(name) {
      const names = name === undefined ? [...lost.keys()] : [name].filter((one) => lost.has(one))
      await Promise.all(names.map(start))
    },
    async stop() {
      for (const name of [...lost.keys()]) forget(name)
      await Promise.allSettled(starting)
    },
  }
}
