/**
 * A minimal client of the Upstash REST API for the gate's bundle: the SDK alone is larger than the rest of that bundle.
 *
 * Commands of one event-loop turn share one request (`/pipeline`), so a cold instance of the gate reads everything in
 * one round trip. A lost reply leaves the outcome of all of them unknown.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Command, Commander } from './command.ts'
import { idleMs, openPost } from './post.ts'
import { errorIn, NoReply, openTransport, type Transport } from './transport.ts'

/** `firstTimeoutMs` applies when a connection may have to be opened; `timeoutMs` when one was used just now. */
export type RestTimeouts = { firstTimeoutMs: number; timeoutMs: number }

type Waiting = { args: Command; resolve: (reply: unknown) => void; reject: (error: unknown) => void }

/** Gives the client of a token at the REST address `url`. The clients share its connections. */
export function connectRest({ url, ...timeouts }: RestTimeouts & { url: string }): (token: string) => Commander {
  const post = openPost(url)
  return (token) => restOver(openTransport(post, token), timeouts)
}

/** Returns a client over `transport`, with one try, rejected at its deadline. `clock` gives ms from any origin. */
export function restOver(
  transport: Transport,
  { firstTimeoutMs, timeoutMs }: RestTimeouts,
  clock: () => number = () => performance.now(),
): Commander {
  let waiting: Waiting[] = []
  let answeredAt = Number.NEGATIVE_INFINITY

  async function send(commands: readonly Waiting[]): Promise<void> {
    const isConnected = clock() - answeredAt < idleMs
    const sent = commands.map(({ args }) => args)
    const replies = await transport('/pipeline', sent, isConnected ? timeoutMs : firstTimeoutMs)
    if (!Array.isArray(replies) || replies.length !== commands.length) throw new NoReply('no result')
    answeredAt = clock()
    // Node reuses a connection one turn after its answer. A request before that would open a new
    // one, which takes two more round trips.
    await nextTurn()
    for (const [at, { resolve, reject }] of commands.entries()) {
      const reply = replyIn(replies[at])
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

/** Returns the reply to one command, or its error. */
function replyIn(item: unknown): unknown {
  const isResult = typeof item === 'object' && item !== null && 'result' in item
  return errorIn(item) ?? (isResult ? item.result : new NoReply('no result'))
}
