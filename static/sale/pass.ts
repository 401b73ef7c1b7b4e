/**
 * The pass (core/gate/pass.ts) of a page that waits: it gets one, so that its click needs no second request, and works
 * out from it the shopper's own turn in the first seconds.
 */
import { type Pass, passLifeSeconds } from '../../core/gate/pass.ts'
import { spreadMs } from '../../core/gate/spread.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { Countdown } from '../../core/sale/pointer.ts'

/** How long a pass must last at least after the start and the spread, ms. */
const marginMs = 60_000

/** How long before the start no pass is asked for, ms: then the network belongs to the pointer and the clicks. */
const untilMs = 20_000

/** `get` asks the shop for a pass; `share`, from 0 up to 1, is the page's own place in the crowd. */
type Ports = { get(): void; share: number }

/** `pass` is what the browser has. `now` and `startsAt` are epoch ms on the shop's clock. */
type PassFacts = {
  phase: Phase | undefined
  countdown: Countdown | undefined
  pass: Pass | undefined
  now: number
  startsAt: number
}

/** To be called as often as the page is drawn; asks at most once for each start. */
export function passKeeper({ get, share }: Ports): (facts: PassFacts) => void {
  let seen: { startsAt: number; at: number } | undefined
  let askedFor: number | undefined

  return ({ phase, countdown, pass, now, startsAt }) => {
    if (countdown === undefined || countdown.requirePass === 'off' || askedFor === startsAt) return
    const spreadEndsAt = startsAt + (countdown.spreadSeconds ?? 0) * 1000
    const neededUntil = spreadEndsAt + marginMs
    if (pass !== undefined && pass.expiresAt * 1000 >= neededUntil) return
    if (seen?.startsAt !== startsAt) seen = { startsAt, at: now }
    // An earlier pass would not last so long.
    const from = Math.max(seen.at, neededUntil - passLifeSeconds * 1000)
    const isDue = now >= from + share * Math.max(0, startsAt - untilMs - from)
    // Without a pass the page cannot know its turn.
    const isSpread = phase === 'open' && now < spreadEndsAt
    if (!isSpread && !(phase === 'scheduled' && isDue)) return
    askedFor = startsAt
    get()
  }
}

/**
 * The shopper's own turn in the first seconds of a sale (core/gate/spread.ts), known once the sale is started. Answers
 * when the turn comes, ms after the start: 0 for a sale without spread, and where the page cannot know, so that the
 * shop says it. Undefined while the browser works it out; then `onKnown` is called.
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

/** HMAC-SHA256 in hexadecimal digits. */
async function hmacHex(key: string, text: string): Promise<string> {
  const utf8 = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const signing = await crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', signing, utf8.encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
