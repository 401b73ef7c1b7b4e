/**
 * Keeps scripts callable by the SHA their client knows, although Redis has a changed text
 * (strict-keys.ts) under another SHA. Without the map every EVALSHA would miss and cost an EVAL.
 */
import { createHash } from 'node:crypto'
import { RedisError, type RespReply } from './resp.ts'
import { runnable } from './strict-keys.ts'

export type Scripts = {
  /** The command as sent to Redis, or the error that answers it at once. */
  translate(command: readonly string[]): readonly string[] | RedisError
  /** Redis's reply as returned to the client. */
  restore(command: readonly string[], reply: RespReply): RespReply
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

/**
 * @param check which scripts get the prelude; see `runnable`
 * @param onlyOwn rejects a SHA that this proxy has not seen: it may have been loaded without the
 * prelude
 */
export function openScripts(check: 'none' | 'flagged' | 'all', onlyOwn: boolean): Scripts {
  const sent = new Map<string, string>()

  const send = (source: string): string => {
    const text = runnable(source, check)
    if (text !== source || onlyOwn) sent.set(sha1(source), sha1(text))
    return text
  }
  const known = (sha: string): string | undefined => {
    const lower = sha.toLowerCase()
    return sent.get(lower) ?? (onlyOwn ? undefined : lower)
  }
  const never = '0'.repeat(40)

  return {
    translate(command) {
      const [name = '', second = '', ...rest] = command
      switch (name.toUpperCase()) {
        case 'EVAL':
        case 'EVAL_RO':
          return command.length < 2 ? command : [name, send(second), ...rest]
        case 'EVALSHA':
        case 'EVALSHA_RO': {
          const sha = known(second)
          if (sha === undefined) return new RedisError('NOSCRIPT No matching script. Please use EVAL.')
          return [name, sha, ...rest]
        }
        case 'SCRIPT': {
          const what = second.toUpperCase()
          if (what === 'LOAD' && rest.length === 1) return [name, second, ...rest.map(send)]
          if (what === 'EXISTS') return [name, second, ...rest.map((sha) => known(sha) ?? never)]
          return command
        }
        default:
          return command
      }
    },
    restore(command, reply) {
      const isLoad = command[0]?.toUpperCase() === 'SCRIPT' && command[1]?.toUpperCase() === 'LOAD'
      return isLoad && Buffer.isBuffer(reply) ? Buffer.from(sha1(command[2] ?? '')) : reply
    },
  }
}
