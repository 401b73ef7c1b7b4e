/**
 * Translates scripts so that plain Redis can run them. Clients call them by their original SHA, although Redis has the
 * changed text under another SHA: without this map every EVALSHA would fail and cost an EVAL.
 *
 * The text changes because of `#!lua flags=allow-key-locking`. On Upstash the flag lets scripts on different keys run
 * in parallel, and a script that then uses a key missing in KEYS is rejected
 * (https://upstash.com/docs/redis/features/key-locking). Plain Redis rejects the flag, so it is removed; a prelude
 * between the script and `redis` compares each call with KEYS instead.
 */
import { createHash } from 'node:crypto'
import { keyShapeText } from './key-positions.ts'
import { RedisError, type RespReply } from './resp.ts'

export type Scripts = {
  /** Returns the command to send to Redis, or an error that answers it. */
  translate(command: readonly string[]): readonly string[] | RedisError
  /** Returns the reply for the client. */
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
          return command.length < 2 ? command : [name, send(second), ...rest]
        case 'EVALSHA': {
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

// One line, so that line numbers in a script's errors stay the same.
const prelude = `local redis = (function(real)
  local declared = {}
  for i = 1, #KEYS do declared[KEYS[i]] = true end
  local shapes = '${keyShapeText}'
  local function fault(args)
    local command = string.upper(tostring(args[1]))
    local _, stop = string.find(shapes, ' ' .. command .. '=', 1, true)
    if not stop then return 'ERR ' .. command .. ' is not allowed in a script with allow-key-locking' end
    local first, last, step, count = string.match(shapes, '^(%d+):(%-?%d+):(%d+):(%d+)', stop + 1)
    first, last, step, count = tonumber(first), tonumber(last), tonumber(step), tonumber(count)
    if last == -1 then last = #args - 1 end
    local function undeclared(from, to, by)
      for i = from, to, by do
        local key = args[i + 1]
        if key ~= nil and not declared[tostring(key)] then
          return 'ERR Script attempted to access a key that is not in KEYS: ' .. tostring(key)
        end
      end
    end
    local bad = first > 0 and undeclared(first, last, step)
    if not bad and count > 0 then
      bad = undeclared(count + 1, count + (tonumber(args[count + 1]) or 0), 1)
    end
    return bad
  end
  local guarded = {}
  guarded.call = function(...)
    local bad = fault({...})
    if bad then error({err = bad}) end
    return real.call(...)
  end
  guarded.pcall = function(...)
    local bad = fault({...})
    if bad then return {err = bad} end
    return real.pcall(...)
  end
  return setmetatable(guarded, {__index = real})
end)(redis) `.replaceAll(/\n\s*/g, ' ')

const flag = 'allow-key-locking'

/**
 * Returns the script as plain Redis can run it.
 * @param check `flagged` puts the prelude before scripts that carry the flag, `all` before every script, `none` before
 * none
 */
export function runnable(source: string, check: 'none' | 'flagged' | 'all'): string {
  const shebang = /^#!lua[^\n]*/.exec(source)?.[0] ?? ''
  const body = source.slice(shebang.length)
  const flags = (/\bflags=(\S+)/.exec(shebang)?.[1] ?? '').split(',').filter((one) => one !== '')
  const flagged = flags.includes(flag)
  const guard = check === 'all' || (check === 'flagged' && flagged) ? prelude : ''
  if (shebang === '') return guard + body

  const kept = flags.filter((one) => one !== flag)
  if (!flagged) return guard === '' ? source : `${shebang}\n${guard}${body.slice(1)}`
  if (kept.length === 0) return guard + body
  return `#!lua flags=${kept.join(',')}\n${guard}${body.slice(1)}`
}
