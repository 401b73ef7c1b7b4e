import { describe, expect, it } from 'vitest'
import type { Phase } from '../../../core/sale/phase.ts'
import { afterEvent, type OpeningEvent, type OpeningState } from '../../../static/client/sale/opening-state.ts'

type State = OpeningState<'status.won'>
type Event = OpeningEvent<'status.won'>

const fresh: State = { lit: false }
const pointer = { version: 1, remaining: 3 }
const sold = { version: 1, remaining: 0 }
const intent = { kind: 'buy', startToken: 'T' } as const
const soldOut = {
  kind: 'refused',
  code: 'sold-out',
  remaining: 0,
  retryAfterSeconds: 0,
  atGate: false,
} as const
const throttled = { ...soldOut, code: 'too-many-requests', retryAfterSeconds: 30 }

const stateAfter = (state: State, ...events: Event[]): State =>
  events.reduce((before, event) => afterEvent(before, event)[0], state)

function phase(next: Phase, change: Partial<Extract<Event, { kind: 'phase' }>> = {}): Event {
  return {
    ...{ kind: 'phase', phase: next, remaining: 3, now: 1000, idle: true },
    ...{ signIn: undefined, moreRounds: false, turnWithin: undefined },
    ...change,
  }
}

describe('a change of phase on a page that waits', () => {
  it.each<[string, Phase | undefined, Event, string | undefined]>([
    ['the first look at an open sale is no news', undefined, phase('open'), undefined],
    ['a sale that opens (C5)', 'scheduled', phase('open'), 'status.open'],
    ['a sale that sells out (C8)', 'open', phase('sold-out'), 'status.soldOut'],
    ['a round that sells out (R7)', 'open', phase('sold-out', { moreRounds: true }), 'status.roundSoldOut'],
    ['a round that is over (R7)', 'open', phase('scheduled', { moreRounds: true }), 'status.roundOver'],
    ['units that return (C8)', 'sold-out', phase('open'), 'status.returned'],
    ['a pause (G3)', 'open', phase('paused'), 'problem.paused'],
    ['the end', 'open', phase('ended'), 'problem.ended'],
    ['a stranger before the start', undefined, phase('scheduled', { signIn: '/sign-in/' }), 'status.signInEarly'],
    ['a stranger in an open sale', undefined, phase('open', { signIn: '/sign-in/' }), undefined],
    ['a shopper who is waiting for an answer', 'scheduled', phase('open', { idle: false }), undefined],
  ])('%s', (_name, before, event, key) => {
    const state = stateAfter({ ...fresh, ...(before && { phase: before }) }, event)
    expect(state.news?.key).toBe(key)
    expect(state.phase).toBe(event.kind === 'phase' && event.phase)
  })

  it('explains once why the button waits for the shopper’s turn, also on a page that opens then (R8)', () => {
    const turn = { key: 'status.turn', args: { seconds: 30 } }
    const waiting = phase('open', { turnWithin: 30 })
    expect(stateAfter({ ...fresh, phase: 'scheduled' }, waiting).news).toEqual(turn)
    const waits = stateAfter(fresh, waiting, waiting)
    expect(waits.news).toEqual(turn)
    expect(stateAfter(waits, phase('open')).news).toEqual({ key: 'status.open' })
    expect(stateAfter(waits, phase('sold-out')).news).toEqual({ key: 'status.soldOut' })
    const busy = stateAfter({ ...fresh, phase: 'open' }, phase('open', { turnWithin: 30, idle: false }))
    expect(busy.news).toBeUndefined()
  })

  it('takes back what is not true any more', () => {
    const open = stateAfter({ ...fresh, phase: 'scheduled', news: { key: 'status.signInEarly' } }, phase('draft'))
    expect(open.news).toBeUndefined()
  })

  it('keeps the answer to a click that was refused as sold out', () => {
    const refused: State = { ...fresh, phase: 'open', news: { key: 'problem.sold-out' } }
    expect(stateAfter(refused, phase('sold-out')).news).toEqual({ key: 'problem.sold-out' })
  })

  it('notes when units returned, also for a shopper who waits for an answer', () => {
    const returned = stateAfter({ ...fresh, phase: 'sold-out' }, phase('open', { idle: false, now: 7 }))
    expect(returned.returnedAt).toBe(7)
  })

  it('tells how many units returned until there are more or fewer (C8)', () => {
    const returned = stateAfter({ ...fresh, phase: 'sold-out' }, phase('open'))
    expect(returned.news).toEqual({ key: 'status.returned', args: { remaining: 3 } })
    expect(stateAfter(returned, { kind: 'button', lit: true, remaining: 3, offline: false }).news).toBe(returned.news)
    expect(stateAfter(returned, { kind: 'button', lit: true, remaining: 2, offline: false }).news).toBeUndefined()
  })
})

describe('a press of the button', () => {
  const lit: State = { ...fresh, lit: true }
  const press: Event = { kind: 'pressed', intent, busy: false, restLeftMs: 0 }

  it('sends one request, and rests for ten seconds (C7)', () => {
    const [state, effects] = afterEvent(lit, press)
    expect(state.news).toEqual({ key: 'status.sending' })
    expect(effects).toEqual({ ask: intent, restMs: 10_000 })
  })

  it('never shortens a rest', () => {
    expect(afterEvent(lit, { ...press, restLeftMs: 25_000 })[1].restMs).toBe(25_000)
  })

  it.each<[string, State, Event]>([
    ['while the button is dark', fresh, press],
    ['while another request is on its way', lit, { ...press, busy: true }],
    ['without anything to ask for', lit, { ...press, intent: undefined }],
  ])('does nothing %s', (_name, state, event) => {
    expect(afterEvent(state, event)).toEqual([state, {}])
  })
})

describe('an answer to a click', () => {
  const answered = { kind: 'answered', left: undefined, restLeftMs: 9000, pointer, at: 100 } as const

  it('lets the button rest as long as the shop asks for', () => {
    expect(afterEvent(fresh, { ...answered, outcome: soldOut })[1]).toEqual({ restMs: 9000 })
    expect(afterEvent(fresh, { ...answered, outcome: throttled })[1]).toEqual({ restMs: 30_000 })
    expect(afterEvent(fresh, { ...answered, outcome: { kind: 'offline' } })[1]).toEqual({ restMs: 0 })
  })

  it('is believed before a pointer that is older than it (C8)', () => {
    const state = stateAfter(fresh, { ...answered, outcome: soldOut })
    expect(state.reported?.remaining).toBe(0)
    const looked = (held: typeof pointer, at: number) =>
      stateAfter(state, { kind: 'looked', pointer: held, at }).reported?.remaining
    expect(looked(pointer, 50_000)).toBe(0)
    expect(looked(pointer, 60_100)).toBeUndefined()
    // Another pointer counts once the button has rested.
    expect(looked(sold, 9000)).toBe(0)
    expect(looked(sold, 9100)).toBeUndefined()
  })

  it('that names a variant as sold out says nothing of the whole sale (N1)', () => {
    const outcome = { ...soldOut, variant: 's' }
    expect(stateAfter(fresh, { ...answered, outcome }).reported).toBeUndefined()
  })

  it('that won says what is left, until the next pointer', () => {
    const state = stateAfter(fresh, { ...answered, outcome: { kind: 'won' }, left: 2 })
    expect(state.reported?.remaining).toBe(2)
    expect(stateAfter(state, { kind: 'looked', pointer: sold, at: 100 }).reported).toBeUndefined()
  })

  it('that says nothing of the stock changes nothing of it', () => {
    const state = stateAfter(fresh, { ...answered, outcome: soldOut }, { ...answered, outcome: throttled })
    expect(state.reported?.remaining).toBe(0)
  })
})
