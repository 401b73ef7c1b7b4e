/**
 * Sale locks in virtual time. Redis expires locks by its own clock, so their expiry is tracked here. Checks that no
 * client takes or frees a lock that another still holds (K4).
 */
import { createHash } from 'node:crypto'
import type { Command, Commander } from '../../../redis/command.ts'
import { renewScript, unlockScript } from '../../../redis/lock.ts'

type Held = { requestId: string; until: number }

/** Longer than any run in real time. */
const foreverMs = '86400000'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')
const [renewSha, unlockSha] = [renewScript, unlockScript].map(({ source }) => sha1(source))

/** Returns the effect of a command on a lock, if any. */
function lockCommand(
  command: Command,
): { kind: 'take' | 'renew' | 'free'; key: string; requestId: string; ttlMs: number } | undefined {
  const [name, first = '', second = '', ...rest] = command
  if (name === 'SET' && first.startsWith('lock:')) {
    return { kind: 'take', key: first, requestId: second, ttlMs: Number(rest.at(-1)) }
  }
  const sha = name === 'EVALSHA' ? first : name === 'EVAL' ? sha1(first) : ''
  const kind = sha === renewSha ? 'renew' : sha === unlockSha ? 'free' : undefined
  const [key = '', requestId = '', ttl = '0'] = rest
  return kind === undefined ? undefined : { kind, key, requestId, ttlMs: Number(ttl) }
}

export function watchLocks(redis: Commander, now: () => number, violated: (what: string) => void) {
  const held = new Map<string, Held>()
  /** Returns the request that holds the lock `key`; undefined when it is free. */
  const holder = (key: string) => {
    const lock = held.get(key)
    return lock !== undefined && lock.until > now() ? lock.requestId : undefined
  }

  return {
    /** The store lost all locks. */
    forget: () => held.clear(),
    holder,
    async exec(command: Command): Promise<unknown> {
      const lock = lockCommand(command)
      if (lock === undefined) return redis.exec(command)
      const { kind, key, requestId, ttlMs } = lock
      if (held.has(key) && holder(key) === undefined) {
        await redis.exec(['DEL', key])
        held.delete(key)
      }
      const reply = await redis.exec(kind === 'free' ? command : withoutExpiry(command))
      const code = Array.isArray(reply) ? reply[0] : reply
      const present = holder(key)
      const stranger = present !== requestId ? present : undefined
      if (kind === 'take' && code === 'OK') {
        if (stranger !== undefined) violated(`${requestId} got the lock that ${stranger} holds (K4)`)
        held.set(key, { requestId, until: now() + ttlMs })
      }
      if (kind === 'renew' && code === 1) held.set(key, { requestId, until: now() + ttlMs })
      if (kind === 'free' && code === 1) {
        if (stranger !== undefined) violated(`${requestId} freed the lock of ${stranger} (K4)`)
        held.delete(key)
      }
      return reply
    },
  }
}

/** Replaces the expiry, which is the last argument of these commands. */
function withoutExpiry([name, ...args]: Command): Command {
  return [name, ...args.slice(0, -1), foreverMs]
}
