/**
 * The real Redis of the played sales: every script is really run. Reached over one raw connection, because a played
 * sale sends thousands of commands; errors are those of a client, so that the wrappers in `redis/` meet what they know.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SaleId } from '../../core/ids.ts'
import { startRedis } from '../../local/redis-server.ts'
import { openLink } from '../../local/upstash/link.ts'
import { RedisError, RedisStatus, type Reply } from '../../local/upstash/resp.ts'
import { openScripts } from '../../local/upstash/scripts.ts'
import type { Command, Commander } from '../../redis/command.ts'
import { RedisReplyError } from '../../redis/errors.ts'
import { admissionsKey, gateKey, lockKey, sharedListKeys, stockKeys } from '../../redis/keys.ts'

/**
 * The keys of a sale that are lost together: all of its stock, one part of it alone, or what the gate store knows. `buyers`
 * are who has what.
 */
export type Losable = 'stock' | 'counters' | 'buyers' | 'packets' | 'outbox' | 'gate'

export type RealRedis = Commander & {
  lose: (saleId: SaleId, what: Losable) => Promise<void>
  /** Keeps a copy of it as it is now; `fallBack` puts that in the place of what came since. */
  keepCopy: (saleId: SaleId, what: Losable) => Promise<void>
  fallBack: (saleId: SaleId, what: Losable) => Promise<void>
  /** Forgets every script, as a restart does. */
  forgetScripts: () => Promise<void>
  /** As it is before the first sale: nothing kept, and every script known. */
  clear: () => Promise<void>
  stop: () => Promise<void>
}

/** Another text for a script, by the name of its file: what a faulty program would run. */
export type ScriptTexts = ReadonlyMap<string, string>

const folder = fileURLToPath(new URL('../../redis', import.meta.url))
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

/** Every script of the project, by the SHA its client calls it by. */
const scripts = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.lua'))
    .map((file) => {
      const source = readFileSync(path.join(folder, file), 'utf8')
      return [sha1(source), { name: file.slice(0, -'.lua'.length), source }]
    }),
)

/** The texts of all scripts. */
export const scriptTexts = (): string[] => [...scripts.values()].map(({ source }) => source)

/** The text of the script `name` as it is in the project. */
export function scriptText(name: string): string {
  const found = [...scripts.values()].find((script) => script.name === name)
  if (found === undefined) throw new Error(`there is no script ${name}`)
  return found.source
}

export async function startRealRedis(): Promise<RealRedis> {
  // Never a server that somebody else uses: whole stores are lost here.
  const server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  const link = openLink({ host: server.host, port: server.port })
  // Strict: a key that a script did not declare is refused, as in the cloud.
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
    async lose(saleId, what) {
      await send(['DEL', ...keysOf(saleId, what)])
    },
    async keepCopy(saleId, what) {
      await copy(send, keysOf(saleId, what), (key) => [key, copyOf(key)])
    },
    async fallBack(saleId, what) {
      await copy(send, keysOf(saleId, what), (key) => [copyOf(key), key])
      // A lock in the copy has run out by now.
      if (what === 'gate') await send(['DEL', lockKey(saleId)])
    },
    forgetScripts: async () => void (await send(['SCRIPT', 'FLUSH'])),
    async clear() {
      await send(['FLUSHALL'])
      await send(['SCRIPT', 'FLUSH'])
      for (const { source } of scripts.values()) await send(['SCRIPT', 'LOAD', source])
    },
    async stop() {
      link.close()
      await server.stop()
    },
  }
}

function keysOf(saleId: SaleId, what: Losable): readonly string[] {
  const keys = stockKeys(saleId)
  switch (what) {
    case 'gate':
      return [gateKey(saleId), lockKey(saleId), admissionsKey(saleId), ...Object.values(sharedListKeys)]
    case 'stock':
      return Object.values(keys)
    case 'counters':
      return [keys.stock]
    default:
      return [keys[what]]
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

/** What a client would give: text, integer, null or arrays of these; an error reply is thrown as its error. */
function plain(command: readonly string[], reply: Reply): unknown {
  if (reply instanceof RedisError) throw new RedisReplyError(reply.message)
  const value = contentOf(reply)
  return command[0] === 'HSCAN' && Array.isArray(value) ? inOrder(value) : value
}

function contentOf(reply: Reply): unknown {
  if (reply instanceof RedisError) return reply.message
  if (reply instanceof RedisStatus) return reply.text
  if (Buffer.isBuffer(reply)) return reply.toString('utf8')
  return Array.isArray(reply) ? reply.map(contentOf) : reply
}

/** A hash has no order of its own, and every server another one; a seed must find the same one again. */
function inOrder([cursor, flat]: unknown[]): unknown[] {
  const fields = Array.isArray(flat) ? flat.map(String) : []
  const pairs = fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]]] : []))
  return [cursor, pairs.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)).flat()]
}

/** What a command does, in a word: the script's name, or the command and the hash it goes to. */
export function nameOfCommand([name, first = '', ...rest]: Command): string {
  if (name === 'EVALSHA') return scripts.get(first)?.name ?? 'unknown script'
  if (name === 'EVAL') return `${scripts.get(sha1(first))?.name ?? 'unknown script'}:text`
  const about = /:(\w+)$/.exec(first)?.[1] ?? first.split(':')[0] ?? ''
  return rest.length === 0 && first === '' ? name : `${name.toLowerCase()}:${about}`
}

/** The same Redis with other texts in the place of some of its scripts. */
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
