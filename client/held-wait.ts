/**
 * Long-polls for a result that the shop will have soon: the first request after nearly two seconds, then one every five
 * seconds. The shop holds each request until there is news, so the client knows a result within two seconds. A shop that
 * holds no requests, or is busy, is polled instead.
 */
import type { Reply } from './http.ts'

/** Held requests for one result: half a minute. The client polls for a later result. */
const maxHeld = 6

/** An answer without news before this time was not held. */
const minHeldMs = 1000

/** True for a page in the background. A program has no document. */
const isHidden = () => Reflect.get(globalThis, 'document')?.hidden === true

export function heldWait() {
  let asked = 0
  let sentAt = 0

  return {
    /** Sends a request that the shop holds. Undefined when it was refused or lost: then read the result at once. */
    async ask(send: () => Promise<Reply>) {
      asked += 1
      sentAt = Date.now()
      const reply = await send()
      const isAnswered = reply.kind === 'ok'
      if (!isAnswered || Date.now() - sentAt < minHeldMs) asked = maxHeld
      return isAnswered ? reply : undefined
    },
    /**
     * Returns the milliseconds until the next held request; undefined when the caller must poll, as in a page in the
     * background. `isNew` restarts the count for another result. `random`, in [0, 1), spreads a crowd.
     */
    nextMs(isNew: boolean, random: number): number | undefined {
      if (isNew) asked = 0
      if (asked === maxHeld || isHidden()) return undefined
      return asked === 0 ? 1500 + 400 * random : Math.max(1, sentAt + 5000 + 300 * random - Date.now())
    },
  }
}
