/**
 * A minimal client of the Upstash REST API for the gate's bundle, because the SDK is larger than the rest of that bundle.
 *
 * Commands of one event-loop tick share one request (`/pipeline`), so a cold instance of the gate reads everything in one
 * round trip. A lost reply leaves the outcome of all of them unknown.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Command, Commander } from './command.ts'
import { idleMs, openPost } from './post.ts'
import { errorIn, NoReply, openTransport, type Transport } from './transport.ts'

/** `firstTimeoutMs` applies if a connection may have to be opened, `timeoutMs` if one was used recently. */
export type RestTimeouts = { firstTimeoutMs: number; timeoutMs: number }

type Waiting = { args: Command; resolve: (reply: unknown) => void; reject: (error: unknown) => void }

/** Returns a function that creates the client for a token. The clients share the connections to `url`. */
export function connectRest({ url, ...timeouts }: RestTimeouts & { url: string }): (token: string) => Commander {
  const post = openPost(url)
  return (token) => restOver(openTransport(post, token), timeouts)
}

/** Returns a client that sends each command once, with a deadline. `clock` returns ms from any origin. */
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
    // Node reuses a connection one tick after its answer. An earlier request would open a new one, which takes
    // two more round trips.
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
