/**
 * The smallest client of the Upstash REST API. The gate's bundle carries this one, because the SDK alone would be larger than
 * all the rest of it.
 *
 * Commands of one turn of the event loop share one request (`/pipeline`), so that a cold instance of the gate learns all it
 * needs in one round trip. They share one fate on the network as well: a lost answer leaves the outcome of all unknown.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Command, Commander } from './command.ts'
import { RedisReplyError } from './errors.ts'

/**
 * `firstTimeoutMs` is the longest wait where a connection may have to be opened first, which takes several round trips;
 * `timeoutMs` where one was in use a moment ago.
 */
export type RestAddress = { url: string; token: string; firstTimeoutMs: number; timeoutMs: number }

/** The parts of the platform that the client stands on. `clock` gives ms, of any beginning. */
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

/** A client for the REST address `url`. One try; a call that takes longer than its deadline is rejected. */
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
    // A redirect would be a second request, to whoever answers it.
    const response = await fetch(address, { method: 'POST', headers, signal, redirect: 'error', body })
    const replies = repliesIn(response.status, await response.text(), commands.length)
    answeredAt = clock()
    // Node takes a connection back one turn after its answer. What is asked for before that would open another one, which
    // takes two round trips more.
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
 * @throws RedisReplyError for what the service answered to all of them at once; any other error when it said nothing
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

/** The service answered, and said nothing of what Redis did. */
class NoReply extends Error {
  override name = 'NoReply'
}
