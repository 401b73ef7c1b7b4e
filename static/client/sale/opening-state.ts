/**
 * The state of a page that waits for its sale, and what changes it. The page reports events, draws
 * the state and carries out the effects.
 */
import { restMs } from '../../../core/buy/buy-request.ts'
import type { Available, Phase } from '../../../core/sale/phase.ts'
import { restAfter } from '../buy/button-rest.ts'
import type { Settled } from '../buy/refusal.ts'
import type { Intent } from './intent.ts'
import { isOutdated, type News, newsOfReturn, type OpeningKey } from './news.ts'
import { newsOfPhase } from './phase-seen.ts'
import { type Held, type Reported, reportedBy, wasPublished } from './reported-units.ts'

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
  | {
      kind: 'answered'
      outcome: Settled
      left: Available | undefined
      restLeftMs: number
      pointer: Held
      at: number
    }

/** Let the button rest for `restMs` from now on, and send `ask`. */
type Effects = { restMs?: number; ask?: Intent }

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
      return [{ ...state, lit: event.lit, ...(isOutdated(state.news, event) && { news: undefined }) }, {}]
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
  if (key !== 'none') {
    return phase === 'sold-out' && state.news?.key === 'problem.sold-out' ? next : { ...next, news: { key } }
  }
  if (!first) return { ...next, news: undefined }
  if (signIn === undefined || phase !== 'scheduled') return next
  return { ...next, news: { key: 'status.signInEarly', link: { href: signIn, key: 'status.toSignIn' } } }
}

/** Why the button of an open sale waits, and that it does no longer; undefined for no news. */
function newsOfTurn(
  shown: News<string> | undefined,
  turnWithin: number | undefined,
): { key: 'status.turn'; args: { seconds: number } } | { key: 'status.open' } | undefined {
  if (turnWithin !== undefined) return { key: 'status.turn', args: { seconds: turnWithin } }
  return shown?.key === 'status.turn' ? { key: 'status.open' } : undefined
}
