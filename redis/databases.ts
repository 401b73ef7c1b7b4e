/**
 * Routes commands to several databases behind one client: each command goes to the database of its sale (S16, S17). All keys
 * of a sale and shard have one hash tag (keys.ts), so the first key of a command determines the database.
 */

import type { SaleId } from '../core/ids.ts'
import type { Command, Commander, SplitStocks } from './command.ts'
import { placeInKey, type StockPlace } from './keys.ts'

/** Resolves with the name of the database of each shard of a sale, at least one. */
export type Locate = (saleId: SaleId) => Promise<readonly string[]>

/** The databases that are listed at the time of the call. `named` resolves with undefined for an unknown name. */
export type NamedDatabases = {
  all(): Promise<readonly Commander[]>
  named(name: string): Promise<Commander | undefined>
}

/** A sale names a database that is not listed. */
class UnknownDatabase extends Error {
  override name = 'UnknownDatabase'
}

/**
 * Returns one client for `databases`. A command without a key, which loads a script, goes to all of them.
 * @throws TypeError for a command whose key belongs to no stock; UnknownDatabase; what `locate` and `databases` throw
 */
export function joinDatabases(databases: NamedDatabases, locate: Locate): SplitStocks {
  async function databaseOf(command: Command): Promise<Commander> {
    const place = placeOf(command)
    if (place === undefined) throw new TypeError(`${command[0]} names no key of a stock`)
    const name = (await locate(place.saleId))[place.shard]
    const database = name === undefined ? undefined : await databases.named(name)
    if (database === undefined) throw new UnknownDatabase(`${place.saleId}: there is no database ${name}`)
    return database
  }

  return {
    shardCount: async (saleId) => (await locate(saleId)).length,

    async exec(command) {
      if (command[0] === 'SCRIPT') return loadIntoAll(await databases.all(), command)
      return (await databaseOf(command)).exec(command)
    },
  }
}

/** Loads a script into all databases. One that is unavailable gets the script with its first call, so that no sale waits. */
async function loadIntoAll(databases: readonly Commander[], command: Command): Promise<unknown> {
  const loaded = await Promise.allSettled(databases.map((database) => database.exec(command)))
  const done = loaded.find(({ status }) => status === 'fulfilled') ?? loaded[0]
  if (done?.status !== 'fulfilled') throw done?.reason
  return done.value
}

/** Returns the sale and shard of the first key of a script call or another command; undefined without one. */
export function placeOf([name, first, , third]: Command): StockPlace | undefined {
  return placeInKey(name === 'EVALSHA' || name === 'EVAL' ? third : first)
}
