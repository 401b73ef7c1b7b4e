import { describe, expect, it } from 'vitest'
import { restMs } from '../../../core/buy/buy-request.ts'
import type { ProblemCode } from '../../../core/outcome.ts'
import { earlyRestMs, restAfter } from '../../../static/client/buy/button-rest.ts'

const refused = (code: ProblemCode, retryAfterSeconds = 0) =>
  ({ kind: 'refused', code, remaining: 0, retryAfterSeconds, atGate: false }) as const
const leftMs = restMs - 200

describe('the rest after a click', () => {
  it('is ten seconds from the click, whatever the answer (C7)', () => {
    expect(restMs).toBe(10_000)
    for (const code of ['sold-out', 'limit-reached', 'stale-page', 'paused', 'unavailable', 'at-capacity'] as const) {
      expect(restAfter(refused(code), leftMs), code).toBe(leftMs)
    }
    expect(restAfter({ kind: 'unsure' }, leftMs)).toBe(leftMs)
    expect(restAfter({ kind: 'gone' }, leftMs)).toBe(leftMs)
    expect(restAfter({ kind: 'won' }, leftMs)).toBe(leftMs)
  })

  it('is a second and a half after not-started, so that a click just before the start does not cost ten (C7)', () => {
    expect(earlyRestMs).toBe(1500)
    expect(restAfter(refused('not-started'), leftMs)).toBe(1500)
    expect(restAfter(refused('not-started', 3), leftMs)).toBe(3000)
  })

  it('is what the shop asks for when the turn has not come, and no longer (R8)', () => {
    expect(restAfter(refused('not-your-turn', 2), leftMs)).toBe(2000)
  })

  it('is none after a click without a session or a connection: signing in takes nobody ten seconds more', () => {
    expect(restAfter(refused('sign-in-required'), leftMs)).toBe(0)
    expect(restAfter({ kind: 'offline' }, leftMs)).toBe(0)
    expect(restAfter(refused('sign-in-required', 3), leftMs)).toBe(3000)
  })

  it('is as long as the shop asks for when that is longer (R2)', () => {
    expect(restAfter(refused('too-many-requests', 42), leftMs)).toBe(42_000)
    expect(restAfter({ kind: 'busy', retryAfterSeconds: 2 }, leftMs)).toBe(leftMs)
  })

  it('stays ten seconds when all places are taken, though the gate names one to three (C7)', () => {
    expect(restAfter(refused('at-capacity', 2), leftMs)).toBe(leftMs)
    expect(restAfter(refused('at-capacity', 30), leftMs)).toBe(30_000)
  })
})
