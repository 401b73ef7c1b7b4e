import { describe, expect, it } from 'vitest'
import type { Phase } from '../../../core/sale/phase.ts'
import { checkDue } from '../../../static/sale/lazy-check.ts'

const startsAt = 1_000_000_000
const due = (phase: Phase | undefined, now: number, spread: number, won = false) =>
  checkDue({ phase, now, startsAt, waitMs: 0, spread, won })

describe('the moment a page asks for its challenge', () => {
  it('lies between two minutes and 20 s before the start, each page at its own (R5)', () => {
    expect(due('scheduled', startsAt - 120_001, 0)).toBe(false)
    expect(due('scheduled', startsAt - 120_000, 0)).toBe(true)
    expect(due('scheduled', startsAt - 70_001, 0.5)).toBe(false)
    expect(due('scheduled', startsAt - 70_000, 0.5)).toBe(true)
    expect(due('scheduled', startsAt - 20_000, 1)).toBe(true)
  })

  it('is at once where a click could count or a marketer is late', () => {
    expect(due('open', startsAt - 3_600_000, 1)).toBe(true)
    expect(due('scheduled', startsAt + 600_000, 1)).toBe(true)
  })

  it('lies as long before the end of a wait in an open sale, for early access or the own turn', () => {
    const dueIn = (waitMs: number, spread: number) =>
      checkDue({ phase: 'open', now: startsAt + 1000, startsAt, waitMs, spread, won: false })
    expect(dueIn(120_001, 0)).toBe(false)
    expect(dueIn(120_000, 0)).toBe(true)
    expect(dueIn(70_001, 0.5)).toBe(false)
    expect(dueIn(70_000, 0.5)).toBe(true)
    expect(dueIn(20_000, 1)).toBe(true)
  })

  it('never comes while nothing can be bought, or once the page has won', () => {
    expect(due('open', startsAt, 0, true)).toBe(false)
    for (const phase of [undefined, 'draft', 'paused', 'sold-out', 'ended'] as const) {
      expect(due(phase, startsAt, 0), phase).toBe(false)
    }
  })
})
