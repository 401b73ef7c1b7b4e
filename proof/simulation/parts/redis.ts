/**
 * The real Redis of a simulation as functions call it: every command is a step, and its data can be lost or rolled
 * back.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SaleId } from '../../../core/ids.ts'
import { startRedis } from '../../../local/redis/redis-server.ts'
import { toAnswer } from '../../../local/upstash/encoding.ts'
import { openLink } from '../../../local/upstash/link.ts'
import { RedisError, type RespReply } from '../../../local/upstash/resp.ts'
import { openScripts } from '../../../local/upstash/scripts.ts'
import type { Command, Commander, CommandSender } from '../../../redis/command.ts'
import { placeOf } from '../../../redis/databases.ts'
import { RedisReplyError } from '../../../redis/errors.ts'
import { admissionsKey, gateKey, lockKey, sharedListKeys, stockKeys } from '../../../redis/keys.ts'
import type { ShardTarget } from '../engine/faults.ts'
import type { Simulation } from '../engine/simulation.ts'
import { aboutOf, throwUnanswered } from '../engine/step.ts'

/** Keys that are lost together: the whole stock of a sale, one part of it, or the gate's store. */
export type Losable = 'stock' | 'counters' | 'packets' | 'outbox' | 'gate'

/** The lost keys of a sale, and the shards that lose them. */
export type LosableKeys = { saleId: SaleId; what: Losable; shards: readonly number[] }

export type RealRedis = Awaited<ReturnType<typeof startRealRedis>>

/** Replacement texts of scripts by file name, for mutation tests. */
export type ScriptTexts = ReadonlyMap<string, string>

const folder = fileURLToPath(new URL('../../../redis', import.meta.url))
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

/** All scripts of the project by SHA. */
const scripts = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lua'))
    .map((file) => {
      const source = readFileSync(path.join(folder, file), 'utf8')
      return [sha1(source), { name: path.basename(file, '.lua'), source }]
    }),
)

export const scriptTexts = (): string[] => [...scripts.values()].map(({ source }) => source)

/** Returns the text of the script `name`. @throws when there is none */
export function scriptText(name: string): string {
  const found = [...scripts.values()].find((script) => script.name === name)
  if (found === undefined) throw new Error(`there is no script ${name}`)
  return found.source
}

export async function startRealRedis() {
  const server = await startRedis()
  const link = openLink({ host: server.host, port: server.port })
  // Strict: rejects keys that a script did not declare, as Upstash does.
  const runnable = openScripts('all', true)
  const send = async (command: readonly string[]): Promise<unknown> => {
    const sent = runnable.translate(command)
    if (sent instanceof RedisError) return plain(command, sent)
    const [reply] = await link.send([sent])
    return plain(command, reply ?? null)
  }
  const copyOf = (key: string) => `copy:${key}`
  return {
    exec: send,
    async lose(lost: LosableKeys): Promise<void> {
      await send(['DEL', ...keysOf(lost)])
    },
    /** Copies the keys; `rollBack` restores that copy. */
    async saveCopy(lost: LosableKeys): Promise<void> {
      await copy(send, keysOf(lost), (key) => [key, copyOf(key)])
    },
    async rollBack(lost: LosableKeys): Promise<void> {
      await copy(send, keysOf(lost), (key) => [copyOf(key), key])
      // A lock in the copy has expired meanwhile.
      if (lost.what === 'gate') await send(['DEL', lockKey(lost.saleId)])
    },
    /** Removes every script, as a restart does. */
    forgetScripts: async () => void (await send(['SCRIPT', 'FLUSH'])),
    /** Restores the state before the first sale: no keys, and every script loaded. */
    async clear(): Promise<void> {
      await send(['FLUSHALL'])
      await send(['SCRIPT', 'FLUSH'])
      for (const { source } of scripts.values()) await send(['SCRIPT', 'LOAD', source])
    },
    async stop(): Promise<void> {
      link.close()
      await server.stop()
    },
  }
}

function keysOf({ saleId, what, shards }: LosableKeys): readonly string[] {
  const stocks = shards.map((shard) => stockKeys(saleId, shard))
  switch (what) {
    case 'gate':
      return [gateKey(saleId), lockKey(saleId), admissionsKey(saleId), ...Object.values(sharedListKeys)]
    case 'stock':
      return stocks.flatMap((keys) => Object.values(keys))
    case 'counters':
      return stocks.map(({ stock }) => stock)
    default:
      return stocks.map((keys) => keys[what])
  }
}

async function copy(
  send: (command: readonly string[]) => Promise<unknown>,
  keys: readonly string[],
  route: (key: string) => readonly [from: string, to: string],
): Promise<void> {
  for (const [from, to] of keys.map(route)) {
    if ((await send(['COPY', from, to, 'REPLACE'])) === 0) await send(['DEL', to])
  }
}

/**
 * Converts a reply to text, integer, null or arrays of these, as a client does.
 * @throws RedisReplyError for an error reply
 */
function plain(command: readonly string[], reply: RespReply): unknown {
  const answer = toAnswer(reply, false)
  if ('error' in answer) throw new RedisReplyError(answer.error)
  const { result } = answer
  return command[0] === 'HSCAN' && Array.isArray(result) ? inOrder(result) : result
}

/** Sorts the fields of a hash: their order differs between servers, and a seed must repeat exactly. */
function inOrder([cursor, flat]: unknown[]): unknown[] {
  const fields = Array.isArray(flat) ? flat.map(String) : []
  const pairs = fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]]] : []))
  return [cursor, pairs.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)).flat()]
}

/** Returns a short name of a command: the script's name, or the command and its hash. */
export function nameOfCommand([name, first = '', ...rest]: Command): string {
  if (name === 'EVALSHA') return scripts.get(first)?.name ?? 'unknown script'
  if (name === 'EVAL') return `${scripts.get(sha1(first))?.name ?? 'unknown script'}:text`
  const about = /:(\w+)$/.exec(first)?.[1] ?? first.split(':')[0] ?? ''
  return rest.length === 0 && first === '' ? name : `${name.toLowerCase()}:${about}`
}

/** Wraps Redis and replaces the texts of some scripts. */
export function withScripts(redis: Commander, texts: ScriptTexts): Commander {
  if (texts.size === 0) return redis
  return {
    exec(command) {
      const [name, first = '', ...rest] = command
      const sha = name === 'EVALSHA' ? first : name === 'EVAL' ? sha1(first) : undefined
      const text = sha === undefined ? undefined : texts.get(scripts.get(sha)?.name ?? '')
      return text === undefined ? redis.exec(command) : redis.exec(['EVAL', text, ...rest])
    },
  }
}

/** Scripts of a recovery or the end of a sale, which run once or twice per sale. */
const rareScripts = /^(?:freeze|restore|recount|unfreeze|load-packets|retire-packets)\b/

/**
 * Turns every command into a step. With `isSplit`, changes of the stock are rare as well: they are transfers between
 * shards.
 */
export function steppedStore(
  simulation: Simulation,
  part: 'stock' | 'gate',
  redis: CommandSender,
  { isSplit }: { isSplit: boolean },
): Commander {
  const isRare = (name: string) => rareScripts.test(name) || (isSplit && name.startsWith('add-stock'))

  return {
    exec: (command: Command) =>
      simulation.perform({
        part,
        shard: part === 'stock' ? targetOf(command) : undefined,
        name: nameOfCommand(command),
        about: aboutOf(command),
        run: () => redis.exec(command),
        onNoAnswer: throwUnanswered,
        rare: isRare(nameOfCommand(command)),
        // It has just taken a lock.
        delicate: command[0] === 'SET' && part === 'gate',
      }),
  }
}

function targetOf(command: Command): ShardTarget | undefined {
  const place = placeOf(command)
  return place && `shard ${place.shard}`
}
