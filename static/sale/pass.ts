/** Gets the pass (core/gate/pass.ts) before the start, and computes the shopper's turn from it. */
import { type Pass, passLifeSeconds } from '../../core/gate/pass.ts'
import { spreadMs } from '../../core/gate/spread.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { Countdown } from '../../core/sale/pointer.ts'

/** How long a pass must be valid after the start and the spread, ms. */
const marginMs = 60_000

/** Sends no request for a pass in this time before the start, ms: the pointer and the clicks need the network. */
const quietMs = 20_000

/** `get` requests a pass. `share`, in [0, 1), spreads the pages of a crowd. */
type Ports = { get(): void; share: number }

/** `pass` is the one in the browser's cookie. `now` and `startsAt` are epoch ms on the shop's clock. */
type PassFacts = {
  phase: Phase | undefined
  countdown: Countdown | undefined
  pass: Pass | undefined
  now: number
  startsAt: number
}

/** Returns a function to call on each draw. It requests a pass at most once for each start. */
export function passKeeper({ get, share }: Ports): (facts: PassFacts) => void {
  let seen: { startsAt: number; at: number } | undefined
  let askedFor: number | undefined

  return ({ phase, countdown, pass, now, startsAt }) => {
    if (countdown === undefined || countdown.requirePass === 'off' || askedFor === startsAt) return
    const spreadEndsAt = startsAt + (countdown.spreadSeconds ?? 0) * 1000
    const neededUntil = spreadEndsAt + marginMs
    if (pass !== undefined && pass.expiresAt * 1000 >= neededUntil) return
    if (seen?.startsAt !== startsAt) seen = { startsAt, at: now }
    // An earlier pass would expire too soon.
    const from = Math.max(seen.at, neededUntil - passLifeSeconds * 1000)
    const isDue = now >= from + share * Math.max(0, startsAt - quietMs - from)
    // Without a pass the page cannot compute the turn.
    const isSpread = phase === 'open' && now < spreadEndsAt
    if (!isSpread && !(phase === 'scheduled' && isDue)) return
    askedFor = startsAt
    get()
  }
}

/**
 * Returns a function that computes the shopper's turn (core/gate/spread.ts), ms after the start. It returns 0 for a sale
 * without random turns and if the page cannot know the turn. It returns undefined while the browser computes the turn;
 * then `onKnown` is called.
 */
export function ownTurn(onKnown: () => void) {
  let asked = ''
  let digest: string | undefined

  async function workOut(turnKey: string, shopperHash: string): Promise<void> {
    const mine = asked
    const found = await hmacHex(turnKey, shopperHash)
    if (mine !== asked) return
    digest = found
    onKnown()
  }

  return (countdown: Countdown | undefined, pass: Pass | undefined): number | undefined => {
    const { turnKey, spreadSeconds = 0 } = countdown ?? {}
    if (turnKey === undefined || pass === undefined) return 0
    const question = turnKey + pass.shopperHash
    if (question === asked) return digest === undefined ? digest : spreadMs(digest, spreadSeconds)
    asked = question
    digest = undefined
    void workOut(turnKey, pass.shopperHash)
    return undefined
  }
}

/** Computes HMAC-SHA256 in hexadecimal. */
async function hmacHex(key: string, text: string): Promise<string> {
  const utf8 = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const signing = await crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', signing, utf8.encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
