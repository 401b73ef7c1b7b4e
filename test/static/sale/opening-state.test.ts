import { describe, expect, it } from 'vitest'
import { clickIntervalMs } from '../../../core/buy/limits.ts'
import type { ProblemCode } from '../../../core/outcome.ts'
import type { Phase } from '../../../core/sale/phase.ts'
import { requestLock } from '../../../static/buy/click.ts'
import {
  afterEvent,
  cooldownAfter,
  cooldownKeeper,
  earlyCooldownMs,
  freshReport,
  intentOf,
  type OpeningEvent,
  type OpeningState,
  reportedBy,
} from '../../../static/sale/opening-state.ts'
import { tabStore } from '../shop-of-answers.ts'

type State = OpeningState<'status.won'>
type Event = OpeningEvent<'status.won'>

const fresh: State = { isEnabled: false }
const pointer = { version: 1, remaining: 3 }
const sold = { version: 1, remaining: 0 }
const intent = { kind: 'buy', startToken: 'T' } as const
const soldOut = { kind: 'refused', code: 'sold-out', remaining: 0, retryAfterSeconds: 0, atGate: false } as const
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
    ['a start that is moved', 'open', phase('scheduled'), undefined],
    ['the first look before another round (R7)', undefined, phase('scheduled', { moreRounds: true }), undefined],
    ['the first look at a sale that is sold out', undefined, phase('sold-out'), 'status.soldOut'],
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

  it('says what may still come after a click that was refused as sold out', () => {
    const refused: State = { ...fresh, phase: 'open', news: { key: 'problem.sold-out' } }
    expect(stateAfter(refused, phase('sold-out')).news).toEqual({ key: 'status.soldOut' })
  })

  it('notes when units returned, also for a shopper who waits for an answer', () => {
    const returned = stateAfter({ ...fresh, phase: 'sold-out' }, phase('open', { idle: false, now: 7 }))
    expect(returned.releasedAt).toBe(7)
  })

  it('tells how many units returned until there are more or fewer (C8)', () => {
    const returned = stateAfter({ ...fresh, phase: 'sold-out' }, phase('open'))
    expect(returned.news).toEqual({ key: 'status.returned', args: { remaining: 3 } })
    expect(stateAfter(returned, phase('open')).news).toBe(returned.news)
    expect(stateAfter(returned, { kind: 'button', isEnabled: true, remaining: 3, offline: false }).news).toBe(
      returned.news,
    )
    expect(stateAfter(returned, { kind: 'button', isEnabled: true, remaining: 2, offline: false }).news).toBeUndefined()
  })
})

describe('a click that a device without a connection kept', () => {
  const kept: State = { ...fresh, news: { key: 'status.notSent' } }
  const button = { kind: 'button', isEnabled: true, remaining: 3, offline: false } as const

  it('is sent by itself once the shop can be reached and the button may be pressed', () => {
    expect(afterEvent(kept, button)).toEqual([{ ...kept, isEnabled: true }, { press: true }])
    for (const change of [{ offline: true }, { isEnabled: false }]) {
      expect(afterEvent(kept, { ...button, ...change })[1]).toEqual({ press: false })
    }
    expect(afterEvent({ ...kept, news: { key: 'status.unsure' } }, button)[1]).toEqual({ press: false })
  })

  it('may also be one whose answer was lost with the connection', () => {
    const unsure: State = { ...fresh, news: { key: 'status.unsure' } }
    expect(stateAfter(unsure, { ...button, offline: true }).news).toEqual({ key: 'status.notSent' })
  })

  it('is forgotten when the sale has other news', () => {
    const over = stateAfter({ ...kept, phase: 'open' }, phase('sold-out'))
    expect(afterEvent(over, button)[1]).toEqual({ press: false })
  })
})

describe('a press of the button', () => {
  const isEnabled: State = { ...fresh, isEnabled: true }
  const press: Event = { kind: 'pressed', intent, busy: false, cooldownLeftMs: 0 }

  it('sends one request, and rests for ten seconds (C7)', () => {
    const [state, effects] = afterEvent(isEnabled, press)
    expect(state.news).toEqual({ key: 'status.sending' })
    expect(effects).toEqual({ ask: intent, cooldownMs: 10_000 })
  })

  it('never shortens a cooldown', () => {
    expect(afterEvent(isEnabled, { ...press, cooldownLeftMs: 25_000 })[1].cooldownMs).toBe(25_000)
  })

  it.each<[string, State, Event]>([
    ['while the button is dark', fresh, press],
    ['while another request is on its way', isEnabled, { ...press, busy: true }],
    ['without anything to ask for', isEnabled, { ...press, intent: undefined }],
  ])('does nothing %s', (_name, state, event) => {
    expect(afterEvent(state, event)).toEqual([state, {}])
  })
})

describe('an answer to a click', () => {
  const answered = { kind: 'answered', left: undefined, cooldownLeftMs: 9000, pointer, at: 100 } as const

  it('keeps the cooldown as long as the shop asks for', () => {
    expect(afterEvent(fresh, { ...answered, outcome: soldOut })[1]).toEqual({ cooldownMs: 9000 })
    expect(afterEvent(fresh, { ...answered, outcome: throttled })[1]).toEqual({ cooldownMs: 30_000 })
    expect(afterEvent(fresh, { ...answered, outcome: { kind: 'offline' } })[1]).toEqual({ cooldownMs: 0 })
  })

  it('that names a variant as sold out says nothing of the whole sale (N1)', () => {
    const outcome = { ...soldOut, variant: 's' }
    expect(stateAfter(fresh, { ...answered, outcome }).reported).toBeUndefined()
  })

  it('that won says what is left, until the next pointer', () => {
    const state = stateAfter(fresh, { ...answered, outcome: { kind: 'won' }, left: 2 })
    expect(state.reported?.remaining).toBe(2)
    expect(stateAfter(state, { kind: 'observed', pointer: sold, at: 100 }).reported).toBeUndefined()
  })

  it('that says nothing of the stock changes nothing of it', () => {
    const state = stateAfter(fresh, { ...answered, outcome: soldOut }, { ...answered, outcome: throttled })
    expect(state.reported?.remaining).toBe(0)
  })
})

describe('what a click asks for', () => {
  const open = { startToken: 'token', phase: 'open', unsure: false, held: false } as const

  it('is nothing in the moment of a new version: no “Asking for yours” without a request (C6)', () => {
    expect(intentOf({ ...open, startToken: undefined })).toBeUndefined()
    expect(intentOf({ ...open, phase: 'paused' })).toBeUndefined()
    expect(intentOf({ ...open, phase: undefined })).toBeUndefined()
  })

  it('is a unit when the page has a token, and a look for the lost answer when it has none (I5)', () => {
    expect(intentOf(open)).toEqual({ kind: 'buy', startToken: 'token' })
    expect(intentOf({ ...open, unsure: true })).toEqual({ kind: 'buy', startToken: 'token' })
    expect(intentOf({ ...open, startToken: undefined, unsure: true })).toEqual({ kind: 'check' })
  })

  it('is never a unit while the check that the shopper is a person is not done (R5)', () => {
    expect(intentOf({ ...open, held: true })).toBeUndefined()
    expect(intentOf({ ...open, held: true, unsure: true })).toEqual({ kind: 'check' })
  })
})

describe('the 0 left of an answer', () => {
  const held = { version: 2, remaining: 3 }
  const report = reportedBy(0, held, 11_000, 1000)

  it('is that of a click which was refused as sold out, by the pointer it came with (C8)', () => {
    const answer = { kind: 'answered', left: undefined, cooldownLeftMs: 10_000, pointer: held, at: 1000 } as const
    expect(stateAfter(fresh, { ...answer, outcome: soldOut }).reported).toEqual(report)
  })

  it('stands after the cooldown while the pointer is the stale one: no “Units came back” (C8)', () => {
    expect(freshReport(report, held, 10_999)?.remaining).toBe(0)
    expect(freshReport(report, { ...held }, 11_000)?.remaining).toBe(0)
    expect(freshReport(report, held, 60_999)?.remaining).toBe(0)
  })

  it('gives way to another pointer once the cooldown is over (C8)', () => {
    for (const pointer of [
      { version: 2, remaining: 1 },
      { version: 3, remaining: 3 },
    ]) {
      expect(freshReport(report, pointer, 10_999)?.remaining).toBe(0)
      expect(freshReport(report, pointer, 11_000)).toBeUndefined()
    }
  })

  it('gives way when as many came back as before: the pointer went to 0 in between (C8)', () => {
    const afterZero = freshReport(report, { version: 2, remaining: 0 }, 6000)
    expect(freshReport(afterZero, held, 11_000)).toBeUndefined()
  })

  it('gives way after a minute, should the page have missed what happened in between', () => {
    expect(freshReport(report, held, 61_000)).toBeUndefined()
  })
})

describe('two questions at once', () => {
  it('never happens: a click during the check on opening the page cannot be overwritten by it (C7)', async () => {
    const lock = requestLock()
    let answer = (_: string) => {}
    const check = lock.run(() => new Promise<string>((resolve) => (answer = resolve)))
    expect(lock.busy()).toBe(true)
    expect(await lock.run(async () => 'click')).toBeUndefined()
    answer('check')
    expect(await check).toBe('check')
    expect(lock.busy()).toBe(false)
    expect(await lock.run(async () => 'click')).toBe('click')
  })

  it('leaves no turn taken behind work that broke', async () => {
    const lock = requestLock()
    await expect(lock.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(lock.busy()).toBe(false)
  })
})

describe('the cooldown of a button', () => {
  it('goes on after a reload, for its own sale only (C7)', () => {
    const store = tabStore()
    let now = 1_000_000
    const keeper = () => cooldownKeeper(store, 'mug', () => now)
    keeper().take(10_000)
    now += 4000
    expect(keeper().leftMs()).toBe(6000)
    expect(cooldownKeeper(store, 'lamp', () => now).leftMs()).toBe(0)
    now += 6001
    expect(keeper().leftMs()).toBe(0)
  })

  it('is never longer than the strictest wait, also when the device’s clock was set back', () => {
    const store = tabStore()
    cooldownKeeper(store, 'mug', () => 9_000_000).take(10_000)
    expect(cooldownKeeper(store, 'mug', () => 0).leftMs()).toBe(60_000)
  })
})

const refused = (code: ProblemCode, retryAfterSeconds = 0) =>
  ({ kind: 'refused', code, remaining: 0, retryAfterSeconds, atGate: false }) as const
const leftMs = clickIntervalMs - 200

describe('the cooldown after a click', () => {
  const others = ['sold-out', 'limit-reached', 'stale-page', 'paused', 'unavailable', 'at-capacity'] as const

  it.each<[what: string, expected: number, ...outcomes: Parameters<typeof cooldownAfter>[0][]]>([
    ['ten seconds from the click, after every answer (C7)', leftMs, ...others.map((code) => refused(code))],
    ['that long without an answer, too', leftMs, { kind: 'unsure' }, { kind: 'gone' }, { kind: 'won' }],
    ['a second and a half after a click just before the start (C7)', 1500, refused('not-started')],
    ['what the shop asks for before the start', 3000, refused('not-started', 3)],
    ['what it asks for when the turn has not come, and no longer (R8)', 2000, refused('not-your-turn', 2)],
    ['none without a session or a connection', 0, refused('sign-in-required'), { kind: 'offline' }],
    ['what the shop asks for before the sign-in', 3000, refused('sign-in-required', 3)],
    ['as long as the shop asks for when that is longer (R2)', 42_000, refused('too-many-requests', 42)],
    ['ten seconds where that is shorter', leftMs, { kind: 'busy', retryAfterSeconds: 2 }, refused('at-capacity', 2)],
    ['longer when all places are taken for longer (C7)', 30_000, refused('at-capacity', 30)],
  ])('is %s', (_, expected, ...outcomes) => {
    for (const outcome of outcomes) expect(cooldownAfter(outcome, leftMs)).toBe(expected)
  })

  it('is of seconds that shoppers know (C7)', () => {
    expect([clickIntervalMs, earlyCooldownMs]).toEqual([10_000, 1500])
  })
})
