import { describe, expect, it } from 'vitest'
import { type ButtonFacts, beforeChoice, beforeSignIn, buttonState } from '../../../static/client/buy/button.ts'

const startsAt = 10_000
const facts: ButtonFacts = {
  phase: 'open',
  hasToken: true,
  now: startsAt + 1000,
  startsAt,
  returnedAt: undefined,
  jitterMs: 250,
  turnMs: 0,
  restLeftMs: 0,
  sending: false,
  won: false,
  unsure: false,
  owns: false,
  hold: undefined,
}
const shown = (change: Partial<ButtonFacts>) => buttonState({ ...facts, ...change })

describe('the buy button', () => {
  it('is grey before the start and lights by itself at its own jittered moment (C5)', () => {
    expect(shown({ phase: 'scheduled', now: startsAt - 1 })).toMatchObject({ kind: 'early', lit: false })
    expect(shown({ now: startsAt + 249 })).toMatchObject({ kind: 'early', lit: false })
    expect(shown({ now: startsAt + 250 })).toMatchObject({ kind: 'ready', lit: true })
  })

  it('does not stay grey on a slow clock while the shop says the sale is open (C5)', () => {
    expect(shown({ now: startsAt - 3_600_000 })).toMatchObject({ kind: 'ready', lit: true })
  })

  it('lights at the shopper’s own turn where the sale has a spread, and counts down to it (R8)', () => {
    const turnMs = 12_345
    expect(shown({ turnMs, now: startsAt - 1, phase: 'scheduled' }).kind).toBe('early')
    expect(shown({ turnMs, now: startsAt })).toEqual({ kind: 'turn', lit: false, secondsLeft: 13 })
    expect(shown({ turnMs, now: startsAt + turnMs - 1 })).toEqual({ kind: 'turn', lit: false, secondsLeft: 1 })
    expect(shown({ turnMs, now: startsAt + turnMs })).toMatchObject({ kind: 'ready', lit: true })
    expect(shown({ turnMs: undefined })).toMatchObject({ kind: 'loading', lit: false })
    expect(shown({ turnMs, phase: 'sold-out' }).kind).toBe('sold-out')
    expect(shown({ turnMs, now: startsAt + turnMs, restLeftMs: 900 }).kind).toBe('resting')
  })

  it('leads to the order of a shopper who has as many as one may have, and asks for no second wait', () => {
    for (const phase of ['open', 'sold-out', 'ended'] as const) {
      expect(shown({ phase, owns: true, restLeftMs: 7000 })).toEqual({ kind: 'owned', lit: true, secondsLeft: 0 })
    }
    expect(shown({ owns: true, sending: true }).kind).toBe('sending')
    expect(shown({ owns: true, unsure: true }).kind).toBe('again')
  })

  it('leads a guest to the sign-in before the start, during the turns and at the opening, and hides no other state', () => {
    const ofGuest = (change: Partial<ButtonFacts>) => beforeSignIn(shown(change))
    for (const change of [{ phase: 'scheduled' }, { turnMs: 9000 }, {}] as const) {
      expect(ofGuest(change)).toMatchObject({ kind: 'sign-in', lit: true })
    }
    for (const phase of ['draft', 'paused', 'held-back', 'sold-out', 'ended'] as const) {
      expect(ofGuest({ phase })).toEqual(shown({ phase }))
    }
    expect(ofGuest({ unsure: true }).kind).toBe('again')
    expect(ofGuest({ hold: 'checking' }).kind).toBe('checking')
  })

  it('leads to the choice of a variant once it would light, and says before that what it waits for (N1)', () => {
    expect(beforeChoice(shown({}))).toEqual({ kind: 'choose', lit: true, secondsLeft: 0 })
    expect(beforeChoice(shown({ unsure: true })).kind).toBe('choose')
    const waiting = shown({ phase: 'scheduled' })
    expect(beforeChoice(waiting)).toBe(waiting)
  })

  it('sends one request at a time (C7)', () => {
    expect(shown({ sending: true })).toMatchObject({ kind: 'sending', lit: false })
  })

  it('rests ten seconds after a click and counts them (C7)', () => {
    expect(shown({ restLeftMs: 10_000 })).toEqual({ kind: 'resting', lit: false, secondsLeft: 10 })
    expect(shown({ restLeftMs: 1 })).toEqual({ kind: 'resting', lit: false, secondsLeft: 1 })
    expect(shown({ restLeftMs: 0 })).toEqual({ kind: 'ready', lit: true, secondsLeft: 0 })
  })

  it('never lights without a start token (C6)', () => {
    expect(shown({ hasToken: false })).toMatchObject({ kind: 'loading', lit: false })
  })

  it('is dark while sold out, paused, ended or unknown, and lights when units return (C8)', () => {
    for (const phase of ['sold-out', 'paused', 'ended', 'draft'] as const) {
      expect(shown({ phase })).toMatchObject({ kind: phase, lit: false })
    }
    expect(shown({ phase: undefined })).toMatchObject({ kind: 'loading', lit: false })
    expect(shown({ phase: 'open' }).lit).toBe(true)
  })

  it('lights at its own jittered moment when units return, under the usual rules (C5, C7, C8)', () => {
    const returnedAt = startsAt + 60_000
    const at = (now: number, change: Partial<ButtonFacts> = {}) => shown({ returnedAt, now, ...change })
    expect(at(returnedAt)).toMatchObject({ kind: 'loading', lit: false })
    expect(at(returnedAt + 249)).toMatchObject({ kind: 'loading', lit: false })
    expect(at(returnedAt + 250)).toMatchObject({ kind: 'ready', lit: true })
    expect(at(returnedAt + 250, { restLeftMs: 4000 })).toMatchObject({ kind: 'resting', lit: false })
    expect(at(returnedAt + 250, { hasToken: false })).toMatchObject({ kind: 'loading', lit: false })
  })

  it('lets a shopper whose answer was lost ask again, after the rest, even once sold out (I5)', () => {
    expect(shown({ unsure: true, phase: 'sold-out', restLeftMs: 10 })).toMatchObject({ kind: 'resting', lit: false })
    expect(shown({ unsure: true, phase: 'sold-out' })).toMatchObject({ kind: 'again', lit: true })
  })

  it('says that the check is not done instead of sending, once a click could count (R5)', () => {
    for (const hold of ['checking', 'unchecked'] as const) {
      expect(shown({ hold })).toMatchObject({ kind: hold, lit: false })
      expect(shown({ hold, restLeftMs: 4000 })).toMatchObject({ kind: 'resting', secondsLeft: 4 })
      expect(shown({ hold, phase: 'scheduled', now: startsAt - 1 })).toMatchObject({ kind: 'early' })
      expect(shown({ hold, phase: 'sold-out' })).toMatchObject({ kind: 'sold-out' })
    }
  })

  it('stays quiet after a win', () => {
    expect(shown({ won: true })).toMatchObject({ kind: 'won', lit: false })
  })
})
