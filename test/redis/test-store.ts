/** A real Redis for the tests of one file, and stores in it that fail on command. */
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { startRedis } from '../../local/redis/redis-server.ts'
import { nameOfCommand, scriptTexts } from '../../proof/simulation/parts/redis.ts'
import type { Command, Commander } from '../../redis/command.ts'
import { RedisUnavailable } from '../../redis/errors.ts'
import type { Switchable } from '../world/outage.ts'
import { connectDirectly, raw } from './support.ts'

/** `settled` resolves once no command is under way and nothing more can happen before time passes. */
export type OwnRedis = Commander & { settled: () => Promise<void> }

/** Connections to servers that files of this process started and no longer use; they end with it. */
const idle: Commander[] = []
let started = 0

async function start(): Promise<Commander> {
  started += 1
  const path = join(inject('sharedFolder'), `redis-${process.pid}-${started}`)
  const server = await startRedis({ path })
  return connectDirectly(server)
}

/** A Redis of its own for this file, with all scripts loaded. Each test finds it empty. */
export function useRedis(): OwnRedis {
  let connection: Commander
  beforeAll(async () => {
    connection = idle.pop() ?? (await start())
    for (const source of scriptTexts()) await raw(connection, 'SCRIPT', 'LOAD', source)
  })
  let underWay = 0
  const redis: OwnRedis = {
    async exec(command) {
      underWay += 1
      try {
        return await connection.exec(command)
      } finally {
        underWay -= 1
      }
    },
    async settled() {
      do await nextTurn()
      while (underWay > 0)
    },
  }
  beforeEach(async () => {
    // A call that the test before did not await would write into the empty server.
    await redis.settled()
    await raw(redis, 'FLUSHALL')
  })
  afterAll(async () => {
    await redis.settled()
    idle.push(connection)
  })
  return redis
}

/** Runs before or after a command, with the command and, after it, its reply. */
type Hook = (command: Command, reply?: unknown) => unknown

export type TestStore = Commander &
  Switchable & {
    /** The next command runs, but its reply is lost. */
    loseNextReply: () => void
    /**
     * Runs `hook` before each command `name`: a script's name, or the command and its hash as in
     * `hdel:outbox`. A hook that throws takes the place of the reply. Returns what removes it.
     */
    before: (name: string, hook: Hook) => () => void
    /** Each command `name` finds the store unavailable; returns what ends that. */
    fail: (name: string) => () => void
    /** Each command `name` is answered with `reply` and not run. */
    replace: (name: string, reply: unknown) => () => void
    /** Called like `before`, after the command has run. */
    after: (name: string, hook: Hook) => () => void
  }

/** A store over `redis`; `what` is named in the error while it is unavailable. */
export function testStore(redis: Commander, what = 'Redis'): TestStore {
  let isDown = false
  const refuse = () => {
    // The wrappers keep only the name of an error without a reply.
    throw Object.assign(new Error(), { name: `${what} is unavailable` })
  }
  const hooks = { before: new Set<[string, Hook]>(), after: new Set<[string, Hook]>() }
  const replies = new Map<string, unknown>()
  let isLosing = false
  const add = (when: keyof typeof hooks) => (name: string, hook: Hook) => {
    const entry: [string, Hook] = [name, hook]
    hooks[when].add(entry)
    return () => void hooks[when].delete(entry)
  }
  const run = async (when: keyof typeof hooks, name: string, command: Command, reply?: unknown) => {
    for (const [wanted, hook] of [...hooks[when]]) if (wanted === name) await hook(command, reply)
  }
  return {
    goDown: () => {
      isDown = true
    },
    comeUp: () => {
      isDown = false
    },
    replace(name, reply) {
      replies.set(name, reply)
      return () => void replies.delete(name)
    },
    fail: (name) => add('before')(name, refuse),
    loseNextReply: () => {
      isLosing = true
    },
    before: add('before'),
    after: add('after'),
    async exec(command) {
      if (isDown) refuse()
      const isLost = isLosing
      isLosing = false
      const name = nameOfCommand(command)
      if (hooks.before.size > 0) await run('before', name, command)
      const reply = replies.has(name) ? replies.get(name) : await redis.exec(command)
      if (hooks.after.size > 0) await run('after', name, command, reply)
      if (isLost) throw new RedisUnavailable('the reply was lost')
      return reply
    },
  }
}
