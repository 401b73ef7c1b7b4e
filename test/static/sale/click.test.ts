import { describe, expect, it } from 'vitest'
import { intentOf } from '../../../static/client/sale/intent.ts'
import { oneAtATime } from '../../../static/client/sale/one-at-a-time.ts'
import { reportedBy, wasPublished } from '../../../static/client/sale/reported-units.ts'

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

describe('the 0 left that an answer told', () => {
  const held = { version: 2, remaining: 3 }
  const told = reportedBy(0, held, 11_000, 1000)

  it('stands after the rest while the pointer is the stale one: no “Units came back” (C8)', () => {
    expect(wasPublished(told, held, 10_999)?.remaining).toBe(0)
    expect(wasPublished(told, { ...held }, 11_000)?.remaining).toBe(0)
    expect(wasPublished(told, held, 60_999)?.remaining).toBe(0)
  })

  it('gives way to another pointer once the rest is over (C8)', () => {
    for (const pointer of [
      { version: 2, remaining: 1 },
      { version: 3, remaining: 3 },
    ]) {
      expect(wasPublished(told, pointer, 10_999)?.remaining).toBe(0)
      expect(wasPublished(told, pointer, 11_000)).toBeUndefined()
    }
  })

  it('gives way when as many came back as before: the pointer went to 0 in between (C8)', () => {
    const afterZero = wasPublished(told, { version: 2, remaining: 0 }, 6000)
    expect(wasPublished(afterZero, held, 11_000)).toBeUndefined()
  })

  it('gives way after a minute, should the page have missed what happened in between', () => {
    expect(wasPublished(told, held, 61_000)).toBeUndefined()
  })
})

describe('two questions at once', () => {
  it('never happens: a click during the check on opening the page cannot be overwritten by it (C7)', async () => {
    const turn = oneAtATime()
    let answer = (_: string) => {}
    const check = turn.take(() => new Promise<string>((resolve) => (answer = resolve)))
    expect(turn.busy()).toBe(true)
    expect(await turn.take(async () => 'click')).toBeUndefined()
    answer('check')
    expect(await check).toBe('check')
    expect(turn.busy()).toBe(false)
    expect(await turn.take(async () => 'click')).toBe('click')
  })

  it('leaves no turn taken behind work that broke', async () => {
    const turn = oneAtATime()
    await expect(turn.take(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(turn.busy()).toBe(false)
  })
})
