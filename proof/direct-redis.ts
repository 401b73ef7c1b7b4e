/** A direct client for Redis, without the REST proxy, for tests and measurements that send thousands of commands. */
import { toAnswer } from '../local/upstash/encoding.ts'
import { openLink, type RedisEndpoint, type RedisLink } from '../local/upstash/link.ts'
import { RedisError } from '../local/upstash/resp.ts'
import { openScripts } from '../local/upstash/scripts.ts'
import type { Commander } from '../redis/command.ts'
import { RedisReplyError } from '../redis/errors.ts'

export type DirectClient = Commander & { stop(): void }

/**
 * `strict` rejects keys that a flagged script did not declare, as Upstash does. It is off only where times are
 * compared.
 */
type Keys = { strict: boolean }

/** Opens a connection to `address`. */
export function connectTo(address: RedisEndpoint, keys: Keys): DirectClient {
  const link = openLink(address)
  return { ...commanderOver(link, keys), stop: () => link.close() }
}

/** Returns a client over a connection that others may share. */
function commanderOver(link: RedisLink, { strict }: Keys): Commander {
  const scripts = openScripts(strict ? 'flagged' : 'none', false)
  return {
    async exec(args) {
      const sent = scripts.translate(args)
      const [reply = null] = sent instanceof RedisError ? [sent] : await link.send([sent])
      const answer = toAnswer(reply, false)
      if ('error' in answer) throw new RedisReplyError(answer.error)
      return answer.result
    },
  }
}
