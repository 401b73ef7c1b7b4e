/** The reducer of a sale page: the page reports events, draws the state and runs the effects. */
import { clickIntervalMs } from '../../core/buy/limits.ts'
import type { Available, Phase } from '../../core/sale/phase.ts'
import type { Pointer } from '../../core/sale/pointer.ts'
import type { Store } from '../buy/click.ts'
import type { ClickAnswer } from '../buy/refusal.ts'
import { isOutdated, type News, newsOfReturn, type OpeningKey } from './news.ts'
import { newsOfPhase } from './phase-seen.ts'

/**
 * `phase` is the last one; `releasedAt` is the last time units were released, shop's time; `reported` are the remaining units
 * of an answer; `isEnabled`: the button is enabled.
 */
export type OpeningState<K extends string> = {
  phase?: Phase
  releasedAt?: number
  reported?: Reported | undefined
  news?: News<K | OpeningKey> | undefined
  isEnabled: boolean
}

/** `at` is epoch ms on the device's clock, `now` on the shop's. */
export type OpeningEvent<K extends string> =
  /** Reports the pointer, several times a second. */
  | { kind: 'observed'; pointer: KnownPointer; at: number }
  /**
   * `phase` is the phase at `now`. `idle`: the shopper has no order and no click in flight, so the message is about the
   * sale. `signIn` is the path of the sign-in; undefined for a signed-in shopper. `moreRounds`: the start of the next
   * round is known. `turnWithin`: the shopper's turn comes within that many seconds after the start.
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
  | { kind: 'button'; isEnabled: boolean; remaining: Available; offline: boolean }
  | { kind: 'news'; news: News<K | OpeningKey> | undefined }
  /** A click. `intent` is the request to send; undefined for none. */
  | { kind: 'pressed'; intent: Intent | undefined; busy: boolean; cooldownLeftMs: number }
  /** `left` are the remaining units, if a successful answer has them. */
  | {
      kind: 'answered'
      outcome: ClickAnswer
      left: Available | undefined
      cooldownLeftMs: number
      pointer: KnownPointer
      at: number
    }

/** Disable the button for `cooldownMs`, send `ask`, and click the button for the shopper. */
type Effects = { cooldownMs?: number; ask?: Intent; press?: boolean }

/** Returns the state after `event`, and its effects. */
export function afterEvent<K extends string>(
  state: OpeningState<K>,
  event: OpeningEvent<K>,
): [OpeningState<K>, Effects] {
  switch (event.kind) {
    case 'observed':
      return [{ ...state, reported: freshReport(state.reported, event.pointer, event.at) }, {}]
    case 'phase':
      return [afterPhase(state, event), {}]
    case 'button': {
      const { isEnabled, offline } = event
      // A click while offline is sent automatically later.
      if (offline && state.news?.key === 'status.unsure')
        return [{ ...state, isEnabled, news: { key: 'status.notSent' } }, {}]
      const next = { ...state, isEnabled, ...(isOutdated(state.news, event) && { news: undefined }) }
      return [next, { press: isEnabled && !offline && next.news?.key === 'status.notSent' }]
    }
    case 'news':
      return [{ ...state, news: event.news }, {}]
    case 'pressed': {
      const { intent: ask, busy, cooldownLeftMs } = event
      if (!state.isEnabled || busy || ask === undefined) return [state, {}]
      return [
        { ...state, news: { key: 'status.sending' } },
        { cooldownMs: Math.max(cooldownLeftMs, clickIntervalMs), ask },
      ]
    }
    case 'answered': {
      const { outcome, pointer, at } = event
      const cooldownMs = cooldownAfter(outcome, event.cooldownLeftMs)
      const soldOut = outcome.kind === 'refused' && outcome.code === 'sold-out'
      // When some variants have too few units, the sale may have units of others.
      const left = soldOut && outcome.variant === undefined ? outcome.remaining : event.left
      const reported = left !== undefined && reportedBy(left, pointer, soldOut ? at + cooldownMs : at, at)
      return [{ ...state, ...(reported && { reported }) }, { cooldownMs }]
    }
  }
}

/** Applies a phase. A change makes one message, and none for a shopper with an order or a click in flight. */
function afterPhase<K extends string>(
  state: OpeningState<K>,
  event: Extract<OpeningEvent<K>, { kind: 'phase' }>,
): OpeningState<K> {
  const { phase, remaining, now, idle, signIn, moreRounds } = event
  const first = state.phase === undefined
  const key = newsOfPhase(state.phase, phase, moreRounds)
  const next = { ...state, phase, ...(key === 'status.returned' && { releasedAt: now }) }
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

/** Returns the news that the shopper's turn is pending or has come; undefined for no news. */
function newsOfTurn(shown: News<string> | undefined, turnWithin: number | undefined) {
  if (turnWithin !== undefined) return { key: 'status.turn', args: { seconds: turnWithin } } as const
  return shown?.key === 'status.turn' ? ({ key: 'status.open' } as const) : undefined
}

/** An unchanged pointer is trusted again after this time, ms: units may go and come back between two reads. */
const maxReportAgeMs = 60_000

type KnownPointer = Pick<Pointer, 'version' | 'remaining'> | undefined

/**
 * The remaining units of an answer. They are fresher than `held`, the pointer of the page at that time, until another
 * pointer arrives. The report is valid until `until`; both times are local epoch ms.
 */
type Reported = { remaining: Available; held: KnownPointer; cooldownUntil: number; until: number }

/** Returns the report of an answer at `now`. No pointer overrides it before `cooldownUntil`, the end of the cooldown. */
export function reportedBy(remaining: Available, held: KnownPointer, cooldownUntil: number, now: number): Reported {
  return { remaining, held, cooldownUntil, until: Math.max(cooldownUntil, now + maxReportAgeMs) }
}

/** Returns the report if it is still fresher than `pointer`, or undefined. */
export function freshReport(reported: Reported | undefined, pointer: KnownPointer, now: number): Reported | undefined {
  if (reported === undefined) return undefined
  const { held, cooldownUntil } = reported
  const same = pointer?.version === held?.version && pointer?.remaining === held?.remaining
  const until = same ? reported.until : cooldownUntil
  return now < until ? { ...reported, until } : undefined
}

/**
 * The cooldown after `not-started`, ms: the gate may learn of a start up to a second after the page. Other cooldowns (C7) are ten
 * seconds, or longer if the shop asks for it. `not-your-turn` costs the time that the shop names. A click without a session
 * or a connection costs none. `at-capacity` costs ten seconds: its one or two seconds are for programs, and a crowd that
 * returned so soon would send ten times the requests.
 */
export const earlyCooldownMs = 1500

/** Returns the cooldown after an answer, ms. `cooldownLeftMs` is left of the cooldown since the click. */
export function cooldownAfter(outcome: ClickAnswer, cooldownLeftMs: number): number {
  const askedMs = 'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds * 1000 : 0
  return Math.max(ownCooldownMs(outcome, cooldownLeftMs), askedMs)
}

function ownCooldownMs(outcome: ClickAnswer, cooldownLeftMs: number): number {
  const code = outcome.kind === 'refused' ? outcome.code : undefined
  if (outcome.kind === 'offline' || code === 'sign-in-required' || code === 'not-your-turn') return 0
  return code === 'not-started' ? earlyCooldownMs : cooldownLeftMs
}

/** `held`: the person check delays the click (R5). */
type IntentFacts = { startToken: string | undefined; phase: Phase | undefined; unsure: boolean; held: boolean }

/** The request of a click. `buy`: buys with the token. `check`: looks up the order of a lost answer. */
export type Intent = { kind: 'buy'; startToken: string } | { kind: 'check' }

/** Returns the intent of a click; undefined for none, as while the page has a new pointer without its countdown. */
export function intentOf({ startToken, phase, unsure, held }: IntentFacts): Intent | undefined {
  if (startToken !== undefined && phase === 'open' && !held) return { kind: 'buy', startToken }
  return unsure ? { kind: 'check' } : undefined
}

/** Maximum cooldown, ms. A tab that stored a longer one had its clock set back. */
const maxCooldownMs = 60_000

/** Stores the cooldown of the button (C7), which a reload must not end. `now` is epoch ms on the device's clock. */
export function cooldownKeeper(store: Pick<Store, 'getItem' | 'setItem'>, saleId: string, now: () => number) {
  const name = `sluice.cooldown.${saleId}`
  let until = Math.min(Number(store.getItem(name) ?? 0), now() + maxCooldownMs)
  return {
    leftMs: () => Math.max(0, until - now()),
    /** Starts a cooldown of `milliseconds`. */
    take(milliseconds: number): void {
      until = now() + milliseconds
      store.setItem(name, String(until))
    },
  }
}
