import { describe, expect, it } from 'vitest'
import type { ProblemCode } from '../../../core/outcome.ts'
import { outdatesPage } from '../../../static/buy/refusal.ts'

const refused = (code: ProblemCode) =>
  ({ kind: 'refused', code, remaining: 0, retryAfterSeconds: 0, atGate: true }) as const

describe('the poll after a click', () => {
  it('comes when the answer shows that the page’s pointer or token is old', () => {
    for (const code of ['not-started', 'paused', 'ended', 'stale-page', 'unknown-sale'] as const)
      expect(outdatesPage(refused(code)), code).toBe(true)
  })

  it('comes when a variant lacks units: the answer does not say how many are left (N1)', () => {
    expect(outdatesPage({ ...refused('sold-out'), variant: 's' })).toBe(true)
  })

  it('is spared after other answers: that of a sale that is sold out says what is left (C3)', () => {
    for (const code of ['sold-out', 'at-capacity', 'too-many-requests', 'limit-reached'] as const)
      expect(outdatesPage(refused(code)), code).toBe(false)
    for (const kind of ['won', 'gone', 'unsure', 'offline'] as const) expect(outdatesPage({ kind }), kind).toBe(false)
    expect(outdatesPage({ kind: 'busy', retryAfterSeconds: 3 })).toBe(false)
  })
})
