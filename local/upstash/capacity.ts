/**
 * The limit of a database in commands per second, as Upstash applies it: above the limit nothing is
 * rejected, "commands wait until capacity becomes available again"
 * (https://upstash.com/docs/redis/help/faq). A token bucket, because the interval of Upstash's own
 * limit is not documented.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type RedisLink, RedisUnreachable } from './link.ts'
import type { RespReply } from './resp.ts'

/** Milliseconds, from any origin. */
export type Clock = { now(): number; wait(ms: number): Promise<unknown> }

export type Capacity = {
  /**
   * Resolves when the database has capacity, in the order of the calls; call the result with the
   * number of commands that ran. Undefined when `hasLeft` by then: the request must not run.
   */
  take(hasLeft: () => boolean): Promise<((commands: number) => void) | undefined>
  /** From now on the limit is another one, for requests that wait as well. */
  change(commandsPerSecond: number): void
}

/**
 * The share of a second whose capacity a database saves while it is idle. Short, so that no second
 * has many more commands than the limit.
 */
const savedSeconds = 0.1

/** Longest wait before the capacity is looked at again, ms. */
const longestWaitMs = 100

/** The error to expect in the sum of many short waits. */
const roundingError = 1e-6

/** The weight of one request in the average that predicts the next one's commands. */
const newestWeight = 1 / 16

const ownClock: Clock = { now: () => performance.now(), wait: (ms) => sleep(ms, undefined, { ref: false }) }

/**
 * @param commandsPerSecond at least 1
 */
export function openCapacity(commandsPerSecond: number, clock: Clock = ownClock): Capacity {
  let perMs = commandsPerSecond / 1000
  const most = () => Math.max(1, perMs * 1000 * savedSeconds)
  const waiting: { hasLeft: () => boolean; admit: (isAdmitted: boolean) => void }[] = []
  let free = most()
  let countedAt = clock.now()
  let expected = 1
  let isAdmitting = false

  const count = () => {
    const now = clock.now()
    free = Math.min(most(), free + (now - countedAt) * perMs)
    countedAt = now
  }

  const admitAll = async () => {
    isAdmitting = true
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      count()
      if (next.hasLeft()) {
        waiting.shift()
        next.admit(false)
      } else if (free >= 1 - roundingError) {
        waiting.shift()
        free -= expected
        next.admit(true)
      } else {
        // Not all at once: the limit may change meanwhile.
        await clock.wait(Math.min(longestWaitMs, Math.ceil((1 - free) / perMs)))
      }
    }
    isAdmitting = false
  }

  return {
    change(next) {
      count()
      perMs = next / 1000
    },
    async take(hasLeft) {
      const isAdmitted = await new Promise<boolean>((admit) => {
        waiting.push({ hasLeft, admit })
        if (!isAdmitting) void admitAll()
      })
      if (!isAdmitted) return undefined
      // Only the reply shows how many commands a script ran. Until then the average counts, and
      // afterwards the difference, so that over time every command is paid for.
      const counted = expected
      return (commands) => {
        free += counted - commands
        expected += (commands - expected) * newestWeight
      }
    },
  }
}

/**
 * Sends commands to Redis within the capacity of a database. Each command of a pipeline or transaction counts, and so
 * does each command inside a script: Upstash bills a script as "EVAL, INCR, PEXPIRE"
 * (https://upstash.com/docs/redis/sdks/ratelimit-ts/costs). Whether these inner commands also count for the limit per
 * second is not documented; the stricter reading is emulated.
 */
export type Sender = Pick<RedisLink, 'send'>

const statistics = ['INFO', 'stats']

/**
 * A sender for one request. It waits for capacity, unless `hasLeft`: then the request is dropped,
 * because a client that gave up must not keep the others waiting.
 * @throws RedisUnreachable
 */
export function throttled(link: Sender, capacity: Capacity, hasLeft: () => boolean): Sender {
  return {
    async send(commands) {
      const settle = await capacity.take(hasLeft)
      if (settle === undefined) throw new RedisUnreachable('the client has left')
      let ran = commands.length
      try {
        // One burst: no command of another request comes between the two statistics.
        const replies = await link.send([statistics, ...commands, statistics])
        ran = Math.max(ran, ranBetween(replies.at(0), replies.at(-1)))
        return replies.slice(1, -1)
      } finally {
        settle(ran)
      }
    },
  }
}

/** The commands between two statistics; the first of them counts itself afterwards. */
function ranBetween(before: RespReply | undefined, after: RespReply | undefined): number {
  return processed(after) - processed(before) - 1
}

/** The server's own count includes the commands inside scripts. */
function processed(reply: RespReply | undefined): number {
  return Number(/total_commands_processed:(\d+)/.exec(String(reply))?.[1] ?? 0)
}
