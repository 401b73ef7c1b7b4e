import { describe, expect, it } from 'vitest'
import {
  type ButtonFacts,
  type ButtonState,
  buttonState,
  toChoiceButton,
  toSignInButton,
} from '../../../static/buy/button.ts'

const startsAt = 10_000
const facts: ButtonFacts = {
  phase: 'open',
  hasToken: true,
  now: startsAt + 1000,
  startsAt,
  releasedAt: undefined,
  jitterMs: 250,
  turnMs: 0,
  cooldownLeftMs: 0,
  sending: false,
  won: false,
  unsure: false,
  owns: false,
  pendingCheck: undefined,
}
const shown = (change: Partial<ButtonFacts>) => buttonState({ ...facts, ...change })

const early = { phase: 'scheduled', now: startsAt - 1 } as const
const turnMs = 12_345
const turn = startsAt + turnMs
const full = { owns: true, cooldownLeftMs: 7000 }
const returned = (ms: number) => ({ releasedAt: startsAt + 60_000, now: startsAt + 60_000 + ms })

/** All other kinds are dark. */
const enabledKinds = ['ready', 'again', 'owned']

describe('the buy button', () => {
  it.each<[when: string, change: Partial<ButtonFacts>, kind: ButtonState['kind'], seconds?: number]>([
    ['before the start', early, 'early'],
    ['until its own jittered moment (C5)', { now: startsAt + 249 }, 'early'],
    ['at its own jittered moment, by itself (C5)', { now: startsAt + 250 }, 'ready'],
    ['on a slow clock, while the shop says the sale is open (C5)', { now: startsAt - 3_600_000 }, 'ready'],
    ['before the start of a sale with turns (R8)', { ...early, turnMs }, 'early'],
    ['at the start of a sale with turns (R8)', { turnMs, now: startsAt }, 'turn', 13],
    ['just before the shopper’s turn (R8)', { turnMs, now: turn - 1 }, 'turn', 1],
    ['at the shopper’s own turn (R8)', { turnMs, now: turn }, 'ready'],
    ['while the turn is not known (R8)', { turnMs: undefined }, 'loading'],
    ['before the turn in a sale that is sold out (R8)', { turnMs, phase: 'sold-out' }, 'sold-out'],
    ['at the turn, after a click (R8)', { turnMs, now: turn, cooldownLeftMs: 900 }, 'cooldown'],
    ['of a shopper who has as many as one may have', full, 'owned', 0],
    ['of one who has as many, sold out', { ...full, phase: 'sold-out' }, 'owned', 0],
    ['of one who has as many, at the end', { ...full, phase: 'ended' }, 'owned', 0],
    ['of one who has as many and asks', { owns: true, sending: true }, 'sending'],
    ['of one who has as many and whose answer was lost', { owns: true, unsure: true }, 'again'],
    ['while a request is on its way: one at a time (C7)', { sending: true }, 'sending'],
    ['ten seconds after a click (C7)', { cooldownLeftMs: 10_000 }, 'cooldown', 10],
    ['at the end of its cooldown (C7)', { cooldownLeftMs: 1 }, 'cooldown', 1],
    ['after its rest (C7)', { cooldownLeftMs: 0 }, 'ready', 0],
    ['without a start token (C6)', { hasToken: false }, 'loading'],
    ['sold out (C8)', { phase: 'sold-out' }, 'sold-out'],
    ['paused', { phase: 'paused' }, 'paused'],
    ['at the end', { phase: 'ended' }, 'ended'],
    ['of a draft', { phase: 'draft' }, 'draft'],
    ['of a phase that is not known', { phase: undefined }, 'loading'],
    ['when units return (C8)', returned(0), 'loading'],
    ['until its own jittered moment after that (C5)', returned(249), 'loading'],
    ['at its own jittered moment after that (C5, C8)', returned(250), 'ready'],
    ['then, after a click (C7)', { ...returned(250), cooldownLeftMs: 4000 }, 'cooldown'],
    ['then, without a start token (C6)', { ...returned(250), hasToken: false }, 'loading'],
    [
      'after a lost answer, until its cooldown is over',
      { unsure: true, phase: 'sold-out', cooldownLeftMs: 10 },
      'cooldown',
    ],
    ['after a lost answer, even once sold out (I5)', { unsure: true, phase: 'sold-out' }, 'again'],
    ['after a win', { won: true }, 'won'],
  ])('is of its kind, and enabled only where it can be pressed, %s', (_, change, kind, secondsLeft) => {
    const seconds = secondsLeft === undefined ? {} : { secondsLeft }
    expect(shown(change)).toMatchObject({ kind, isEnabled: enabledKinds.includes(kind), ...seconds })
  })

  it('leads a guest to the sign-in before the start, during the turns and at the opening, and hides no other state', () => {
    const ofGuest = (change: Partial<ButtonFacts>) => toSignInButton(shown(change))
    for (const change of [{ phase: 'scheduled' }, { turnMs: 9000 }, {}] as const) {
      expect(ofGuest(change)).toMatchObject({ kind: 'sign-in', isEnabled: true })
    }
    for (const phase of ['draft', 'paused', 'held-back', 'sold-out', 'ended'] as const) {
      expect(ofGuest({ phase })).toEqual(shown({ phase }))
    }
    expect(ofGuest({ unsure: true }).kind).toBe('again')
    expect(ofGuest({ pendingCheck: 'checking' }).kind).toBe('checking')
  })

  it('leads to the choice of a variant once it would light, and says before that what it waits for (N1)', () => {
    expect(toChoiceButton(shown({}))).toEqual({ kind: 'choose', isEnabled: true, secondsLeft: 0 })
    expect(toChoiceButton(shown({ unsure: true })).kind).toBe('choose')
    const waiting = shown({ phase: 'scheduled' })
    expect(toChoiceButton(waiting)).toBe(waiting)
  })

  it('says that the check is not done instead of sending, once a click could count (R5)', () => {
    for (const pendingCheck of ['checking', 'unchecked'] as const) {
      expect(shown({ pendingCheck })).toMatchObject({ kind: pendingCheck, isEnabled: false })
      expect(shown({ pendingCheck, cooldownLeftMs: 4000 })).toMatchObject({ kind: 'cooldown', secondsLeft: 4 })
      expect(shown({ pendingCheck, phase: 'scheduled', now: startsAt - 1 })).toMatchObject({ kind: 'early' })
      expect(shown({ pendingCheck, phase: 'sold-out' })).toMatchObject({ kind: 'sold-out' })
    }
  })
})
