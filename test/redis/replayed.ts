/**
 * A Redis for tests that reach the same state thousands of times. Its scripts depend on nothing but their arguments and
 * the data, so a command that was sent in a state before has the same reply and leads to the same state again: only what is
 * new is actually run. Expiry is not kept.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Command, Commander } from '../../redis/command.ts'
import { list } from '../../redis/reply.ts'
import { raw } from './support.ts'

/** `items` of each key, as written by `write`. */
type Data = readonly [key: string, type: string, ...items: string[]][]
type State = { data: Data; next: Map<string, { reply: unknown; state: State }> }

export type ReplayedRedis = Commander & {
  /** The data now, without the keys that `isLeftOut` names, as text. */
  text: (isLeftOut: (key: string) => boolean) => string
  /** Resolves once no command is under way. */
  settled: () => Promise<void>
}

const read = `
local found = {}
local keys = redis.call('KEYS', '*')
table.sort(keys)
for _, key in ipairs(keys) do
  local type = redis.call('TYPE', key).ok
  local items
  if type == 'hash' then
    local fields, names = redis.call('HGETALL', key), {}
    local values = {}
    for at = 1, #fields, 2 do
      names[#names + 1] = fields[at]
      values[fields[at]] = fields[at + 1]
    end
    table.sort(names)
    items = {}
    for _, name in ipairs(names) do
      items[#items + 1] = name
      items[#items + 1] = values[name]
    end
  elseif type == 'set' then
    items = redis.call('SMEMBERS', key)
    table.sort(items)
  elseif type == 'list' then
    items = redis.call('LRANGE', key, 0, -1)
  else
    items = {redis.call('GET', key)}
  end
  found[#found + 1] = {key, type, unpack(items)}
end
return found
`

const write = `
redis.call('FLUSHALL')
local commands = {hash = 'HSET', set = 'SADD', list = 'RPUSH', string = 'SET'}
for _, entry in ipairs(cjson.decode(ARGV[1])) do
  redis.call(commands[entry[2]], entry[1], unpack(entry, 3))
end
return {}
`

/** Returns each key with what it holds. */
export const readData = async (redis: Commander) => list(await raw(redis, 'EVAL', read, '0'), 'data') as Data

/** `redis` must be exclusive to this, and empty. */
export function replayed(redis: Commander): ReplayedRedis {
  const states = new Map<string, State>()
  const texts = new WeakMap<State, string>()
  let state: State = { data: [], next: new Map() }
  /** Returns the data in `redis`. */
  let held = state
  let underWay = 0
  let last: Promise<unknown> = Promise.resolve()
  states.set('[]', state)

  const run = async (command: Command, known: string): Promise<unknown> => {
    if (held !== state) await raw(redis, 'EVAL', write, '0', JSON.stringify(state.data))
    const reply = await redis.exec(command)
    const data = await readData(redis)
    const text = JSON.stringify(data)
    const after = states.get(text) ?? { data, next: new Map() }
    states.set(text, after)
    state.next.set(known, { reply, state: after })
    state = after
    held = after
    return reply
  }

  const step = (command: Command, known: string): unknown => {
    const next = state.next.get(known)
    if (next === undefined) return run(command, known)
    state = next.state
    return next.reply
  }

  return {
    async exec(command) {
      const known = command.join('\n')
      if (underWay === 0 && state.next.has(known)) return step(command, known)
      underWay += 1
      const answered = last.then(() => step(command, known))
      last = answered.catch(() => undefined)
      try {
        return await answered
      } finally {
        underWay -= 1
      }
    },
    text(isLeftOut) {
      const text = texts.get(state) ?? JSON.stringify(state.data.filter(([key]) => !isLeftOut(key)))
      texts.set(state, text)
      return text
    },
    async settled() {
      do await nextTurn()
      while (underWay > 0)
    },
  }
}
