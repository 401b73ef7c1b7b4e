/**
 * When to ask for a result that the shop will have soon: once after nearly two seconds, and then once in five seconds,
 * with requests that the shop holds until there is news. So a result is known within two seconds. A shop that holds
 * nothing, or is busy, is polled instead.
 */
import type { Reply } from './http.ts'

/** Requests that wait for one result: half a minute. A later result is polled for. */
const mostHeld = 6

/** A sooner answer without news was not held. */
const heldAtLeastMs = 1000

/** A program has no document. */
const isHidden = () => Reflect.get(globalThis, 'document')?.hidden === true

export function heldWait() {
  let asked = 0
  let sentAt = 0

  return {
    /** Sends a request that the shop holds; undefined when it was refused or got no answer: then read at once. */
    async ask(send: () => Promise<Reply>) {
      asked += 1
      sentAt = Date.now()
      const reply = await send()
      const isAnswered = reply.kind === 'ok'
      if (!isAnswered || Date.now() - sentAt < heldAtLeastMs) asked = mostHeld
      return isAnswered ? reply : undefined
    },
    /**
     * Milliseconds until the next such request; undefined when it is time to poll, and for a page in the background.
     * With `isNew` the wait for another result begins. `random` is from 0 up to 1, because a crowd waits at the same
     * time.
     */
    nextMs(isNew: boolean, random: number): number | undefined {
      if (isNew) asked = 0
      if (asked === mostHeld || isHidden()) return undefined
      return asked === 0 ? 1500 + 400 * random : Math.max(1, sentAt + 5000 + 300 * random - Date.now())
    },
  }
}
