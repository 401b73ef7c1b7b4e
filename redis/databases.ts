/**
 * Several databases that look like one: each command goes to the database of the sale whose keys it
 * names (S16, S17). All keys of a sale and shard have one hash tag (keys.ts), so the first key of a
 * command says where all of them are.
 */
import type { RedisClient } from './client.ts'
import type { Command } from './command.ts'
import { placeInKey, type StockPlace } from './keys.ts'

/** The number of the database that has the keys of a sale and shard. */
export type Locate = (place: StockPlace) => Promise<number>

/**
 * `databases` as one client. A command without a key, which loads a script, goes to all of them and
 * is answered by the first. @throws TypeError for a command whose key names no sale; what `locate`
 * throws
 */
export function joinDatabases(databases: readonly RedisClient[], locate: Locate): RedisClient {
  async function databaseOf(command: Command): Promise<number> {
    const [name] = command
    const place = placeInKey(firstKey(command))
    if (place === undefined) throw new TypeError(`${name} names no key of a stock`)
    return locate(place)
  }

  const clientAt = (at: number): RedisClient => {
    const client = databases[at]
    if (client === undefined) throw new RangeError(`there is no database ${at}`)
    return client
  }

  return {
    async exec(command) {
      if (command[0] === 'SCRIPT') return sendToAll(databases, command)
      return clientAt(await databaseOf(command)).exec(command)
    },

    async together(commands) {
      const targets = await Promise.all(commands.map(databaseOf))
      const replies: unknown[] = []
      const send = async (at: number) => {
        const places = [...targets.keys()].filter((place) => targets[place] === at)
        const some = commands.filter((_, place) => targets[place] === at)
        const answers = await repliesOf(clientAt(at), some)
        for (const [index, place] of places.entries()) replies[place] = answers[index]
      }
      await Promise.all([...new Set(targets)].map(send))
      return replies
    },
  }
}

/** A database that does not answer leaves the commands for the others as they are. */
async function repliesOf(database: RedisClient, commands: readonly Command[]): Promise<unknown[]> {
  try {
    return await database.together(commands)
  } catch (error) {
    return commands.map(() => error)
  }
}

async function sendToAll(databases: readonly RedisClient[], command: Command): Promise<unknown> {
  const [reply] = await Promise.all(databases.map((database) => database.exec(command)))
  return reply
}

/** Scripts name the number of their keys before them; every other command begins with its key. */
function firstKey([name, first, , third]: Command): string | undefined {
  return name === 'EVALSHA' || name === 'EVAL' ? third : first
}
