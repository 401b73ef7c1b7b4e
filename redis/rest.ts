/**
 * A minimal client of the Upstash REST API for the gate's bundle: the SDK alone is larger than the
 * rest of that bundle.
 *
 * Commands of one event-loop turn share one request (`/pipeline`), so a cold instance of the gate
 * reads everything in one round trip. A lost reply leaves the outcome of all of them unknown.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Command, Commander } from './command.ts'
import { RedisReplyError } from './errors.ts'

/**
 * `firstTimeoutMs` applies when a connection may have to be opened, which takes several round
 * trips; `timeoutMs` when one was used a moment ago.
 */
export type RestAddress = { url: string; token: string; firstTimeoutMs: number; timeoutMs: number }

/** The platform functions the client needs. `clock` gives ms from any origin. */
export type Platform = {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  clock: () => number
  /** A signal that aborts after so many milliseconds. */
  timeout: (milliseconds: number) => AbortSignal
}

/** Node keeps an unused connection for four seconds, and the gate's store for longer. */
const connectionKeptMs = 4000

const platform: Platform = {
  fetch: (url, init) => fetch(url, init),
  clock: () => performance.now(),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
}

type Waiting = { args: Command; resolve: (reply: unknown) => void; reject: (error: unknown) => void }

/**
 * A client for the REST address `url`. One try; a call that takes longer than its deadline is
 * rejected.
 */
export function connectRest(
  { url, token, firstTimeoutMs, timeoutMs }: RestAddress,
  { fetch, clock, timeout }: Platform = platform,
): Commander {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const address = `${url.replace(/\/$/, '')}/pipeline`
  let waiting: Waiting[] = []
  let answeredAt = Number.NEGATIVE_INFINITY

  async function send(commands: readonly Waiting[]): Promise<void> {
    const isConnected = clock() - answeredAt < connectionKeptMs
    const signal = timeout(isConnected ? timeoutMs : firstTimeoutMs)
    const body = JSON.stringify(commands.map(({ args }) => args))
    // A redirect would send the token to another server.
    const response = await fetch(address, { method: 'POST', headers, signal, redirect: 'error', body })
    const replies = repliesIn(response.status, await response.text(), commands.length)
    answeredAt = clock()
    // Node reuses a connection one turn after its answer. A request before that would open a new
    // one, which takes two more round trips.
    await nextTurn()
    for (const [at, { resolve, reject }] of commands.entries()) {
      const reply = replies[at]
      if (reply instanceof Error) reject(reply)
      else resolve(reply)
    }
  }

  function flush(): void {
    const commands = waiting
    waiting = []
    send(commands).catch((error: unknown) => {
      for (const { reject } of commands) reject(error)
    })
  }

  return {
    exec: (args) =>
      new Promise((resolve, reject) => {
        waiting.push({ args, resolve, reject })
        if (waiting.length === 1) queueMicrotask(flush)
      }),
  }
}

/**
 * The reply to each command, or its error.
 * @throws RedisReplyError for what the service answered to all; any other error without an answer
 */
function repliesIn(status: number, body: string, count: number): unknown[] {
  if (status >= 500) throw new NoReply(`HTTP ${status}`)
  const answer: unknown = JSON.parse(body)
  const refusal = errorIn(answer)
  if (refusal !== undefined) throw refusal
  if (status >= 300 || !Array.isArray(answer) || answer.length !== count) throw new NoReply('no result')
  return answer.map(replyIn)
}

function replyIn(item: unknown): unknown {
  const isResult = typeof item === 'object' && item !== null && 'result' in item
  return errorIn(item) ?? (isResult ? item.result : new NoReply('no result'))
}

function errorIn(answer: unknown): RedisReplyError | undefined {
  const isError = typeof answer === 'object' && answer !== null && 'error' in answer
  return isError && typeof answer.error === 'string' ? new RedisReplyError(answer.error) : undefined
}

/** The service answered without a result from Redis. */
class NoReply extends Error {
  override name = 'NoReply'
}
