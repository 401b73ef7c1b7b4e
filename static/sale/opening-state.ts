/**
 * The state of a page that waits for its sale, and what changes it. The page reports events, draws
 * the state and carries out the effects.
 */
import { restMs } from '../../core/buy/limits.ts'
import type { Available, Phase } from '../../core/sale/phase.ts'
import type { Pointer } from '../../core/sale/pointer.ts'
import type { Store } from '../buy/click.ts'
import type { Settled } from '../buy/refusal.ts'
import { isOutdated, type News, newsOfReturn, type OpeningKey } from './news.ts'
import { newsOfPhase } from './phase-seen.ts'

/**
 * `phase` is the last one that was seen; `returnedAt` is when units were returned last, shop's
 * time; `reported` is what an answer said is left; `lit`: the button can be pressed.
 */
export type OpeningState<K extends string> = {
  phase?: Phase
  returnedAt?: number
  reported?: Reported | undefined
  news?: News<K | OpeningKey> | undefined
  lit: boolean
}

/** `at` is epoch ms on the device's clock, `now` on the shop's. */
export type OpeningEvent<K extends string> =
  /** The page looks at what it knows, several times a second. */
  | { kind: 'looked'; pointer: Held; at: number }
  /**
   * `phase` is the phase at `now`. `idle`: the shopper has nothing here and is asking for nothing, so
   * the message is about the sale. `signIn` is the path of the sign-in, undefined for a shopper who is signed
   * in. `moreRounds`: the page can say when the next round starts. `turnWithin`: the shopper's turn, which has
   * not come, is in the first `turnWithin` seconds.
   */
  | {
      kind: 'phase'
      phase: Phase
      remaining: Available
      now: number
      idle: boolean
      signIn: string | undefined
      moreRounds: boolean
      turnWithin: number | undefined
    }
  | { kind: 'button'; lit: boolean; remaining: Available; offline: boolean }
  | { kind: 'news'; news: News<K | OpeningKey> | undefined }
  /** A click. `intent` is what it would ask for, undefined for nothing. */
  | { kind: 'pressed'; intent: Intent | undefined; busy: boolean; restLeftMs: number }
  /** `left` is how many units are left, where a successful answer says so. */
  | { kind: 'answered'; outcome: Settled; left: Available | undefined; restLeftMs: number; pointer: Held; at: number }

/** Let the button rest for `restMs` from now on, send `ask`, and press the button for the shopper. */
type Effects = { restMs?: number; ask?: Intent; press?: boolean }

/** The state after `event`, and what to do. */
export function afterEvent<K extends string>(
  state: OpeningState<K>,
  event: OpeningEvent<K>,
): [OpeningState<K>, Effects] {
  switch (event.kind) {
    case 'looked':
      return [{ ...state, reported: wasPublished(state.reported, event.pointer, event.at) }, {}]
    case 'phase':
      return [afterPhase(state, event), {}]
    case 'button': {
      const { lit, offline } = event
      // A click without a connection is sent by itself later; one whose answer was lost with it is repeated.
      if (offline && state.news?.key === 'status.unsure')
        return [{ ...state, lit, news: { key: 'status.notSent' } }, {}]
      const next = { ...state, lit, ...(isOutdated(state.news, event) && { news: undefined }) }
      return [next, { press: lit && !offline && next.news?.key === 'status.notSent' }]
    }
    case 'news':
      return [{ ...state, news: event.news }, {}]
    case 'pressed': {
      const { intent: ask, busy, restLeftMs } = event
      if (!state.lit || busy || ask === undefined) return [state, {}]
      return [
        { ...state, news: { key: 'status.sending' } },
        { restMs: Math.max(restLeftMs, restMs), ask },
      ]
    }
    case 'answered': {
      const { outcome, pointer, at } = event
      const rest = restAfter(outcome, event.restLeftMs)
      const soldOut = outcome.kind === 'refused' && outcome.code === 'sold-out'
      // When some variants have too few units, the sale may have units of others.
      const left = soldOut && outcome.variant === undefined ? outcome.remaining : event.left
      const reported = left !== undefined && reportedBy(left, pointer, soldOut ? at + rest : at, at)
      return [{ ...state, ...(reported && { reported }) }, { restMs: rest }]
    }
  }
}

/** A change of phase makes one message, and none for a shopper who waits for an answer or has one. */
function afterPhase<K extends string>(
  state: OpeningState<K>,
  event: Extract<OpeningEvent<K>, { kind: 'phase' }>,
): OpeningState<K> {
  const { phase, remaining, now, idle, signIn, moreRounds } = event
  const first = state.phase === undefined
  const key = newsOfPhase(state.phase, phase, moreRounds)
  const next = { ...state, phase, ...(key === 'status.returned' && { returnedAt: now }) }
  if (!idle) return next
  if (phase === 'open') {
    const turn = newsOfTurn(state.news, event.turnWithin)
    if (turn !== undefined) return { ...next, news: turn }
  }
  if (key === undefined) return next
  if (key === 'status.returned') return { ...next, news: newsOfReturn(remaining) }
  if (key !== 'none') return { ...next, news: { key } }
  if (!first) return { ...next, news: undefined }
  if (signIn === undefined || phase !== 'scheduled') return next
  return { ...next, news: { key: 'status.signInEarly', link: { href: signIn, key: 'status.toSignIn' } } }
}

/** Why the button of an open sale waits, and that it does no longer; undefined for no news. */
function newsOfTurn(shown: News<string> | undefined, turnWithin: number | undefined) {
  if (turnWithin !== undefined) return { key: 'status.turn', args: { seconds: turnWithin } } as const
  return shown?.key === 'status.turn' ? ({ key: 'status.open' } as const) : undefined
}

/** Units may go and come back between two looks, so a pointer that reads the same is believed after this long. */
const atMostMs = 60_000

/**
 * The remaining units as an answer reported them. They are fresher than the pointer that the page had, until another
 * pointer arrives: a stale one must not show units that were not returned.
 */
type Held = Pick<Pointer, 'version' | 'remaining'> | undefined

/** `held` is the pointer as the answer came. The answer stands until `until`; both times are local epoch ms. */
type Reported = { remaining: Available; held: Held; restUntil: number; until: number }

/** What an answer reported at `now`; the button rests until `restUntil`, and meanwhile no pointer says better. */
export function reportedBy(remaining: Available, held: Held, restUntil: number, now: number): Reported {
  return { remaining, held, restUntil, until: Math.max(restUntil, now + atMostMs) }
}

/** What still stands of it now that the page holds `pointer`; undefined once the pointer is to be believed. */
export function wasPublished(reported: Reported | undefined, pointer: Held, now: number): Reported | undefined {
  if (reported === undefined) return undefined
  const { held, restUntil } = reported
  const same = pointer?.version === held?.version && pointer?.remaining === held?.remaining
  const until = same ? reported.until : restUntil
  return now < until ? { ...reported, until } : undefined
}

/**
 * How long the button rests (C7): ten seconds after a click with any answer, and longer when the shop asks for it.
 * Exceptions: `not-started` is about the page's timing and not the shopper's, so it costs only a moment, and
 * `not-your-turn` only the time that the shop names. A click without a session or a connection had no effect: it costs
 * no rest, before or after signing in. `at-capacity` is not one: its one or two seconds are for programs, and a crowd
 * that returned so soon would ask ten times for the few places that become free. The gate may learn of a start up to
 * a second after the page; a click in between should not cost ten.
 */
export const earlyRestMs = 1500

/** Milliseconds the button rests from the moment the answer is known; `restLeftMs` is what the click left of its own. */
export function restAfter(outcome: Settled, restLeftMs: number): number {
  const askedMs = 'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds * 1000 : 0
  return Math.max(ownRestMs(outcome, restLeftMs), askedMs)
}

function ownRestMs(outcome: Settled, restLeftMs: number): number {
  const code = outcome.kind === 'refused' ? outcome.code : undefined
  if (outcome.kind === 'offline' || code === 'sign-in-required' || code === 'not-your-turn') return 0
  return code === 'not-started' ? earlyRestMs : restLeftMs
}

/** `held`: a check keeps the click back (R5). */
type IntentFacts = { startToken: string | undefined; phase: Phase | undefined; unsure: boolean; held: boolean }

/**
 * What a click asks for. It may fall in a moment when the page has a new pointer and not yet its countdown. `buy`
 * with the token to buy with; `check` looks for an order whose answer was lost; undefined: nothing to send.
 */
export type Intent = { kind: 'buy'; startToken: string } | { kind: 'check' }

/** The intent of a click on a page that knows this much. */
export function intentOf({ startToken, phase, unsure, held }: IntentFacts): Intent | undefined {
  if (startToken !== undefined && phase === 'open' && !held) return { kind: 'buy', startToken }
  return unsure ? { kind: 'check' } : undefined
}

/** The longest wait that the shop asks for, ms. A tab that remembers a longer one had its clock set back. */
const longestMs = 60_000

/**
 * Keeps how long the button rests (C7), also across a reload, which must not end the rest. `now` is epoch ms on the
 * device's clock.
 */
export function restKeeper(store: Pick<Store, 'getItem' | 'setItem'>, saleId: string, now: () => number) {
  const name = `sluice.rest.${saleId}`
  let until = Math.min(Number(store.getItem(name) ?? 0), now() + longestMs)
  return {
    leftMs: () => Math.max(0, until - now()),
    /** Begins a rest of `milliseconds`. */
    take(milliseconds: number): void {
      until = now() + milliseconds
      store.setItem(name, String(until))
    },
  }
}
