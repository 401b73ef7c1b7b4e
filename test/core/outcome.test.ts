import { describe, expect, it } from 'vitest'
import { luaCodes, type OutcomeKind, outcomes, problem } from '../../core/outcome.ts'

const entries = Object.entries(outcomes)

describe('the outcome table', () => {
  it('gives each script code one meaning (S2, S6)', () => {
    const codes = Object.entries(luaCodes)
    expect(new Set(codes.map(([, code]) => code)).size).toBe(codes.length)
  })

  it('uses none of the sources’ overloaded codes -3 … 0 (S6)', () => {
    for (const code of [-3, -2, -1, 0]) expect(Object.values(luaCodes)).not.toContain(code)
  })

  it('calls the last unit a success, for any remainder (S5)', () => {
    expect(outcomes.reserved.status).toBe(202)
    expect(outcomes.repeat.status).toBe(200)
  })

  it('answers every refusal with an error status', () => {
    for (const [kind, { status }] of entries) {
      expect(status >= 400, kind).toBe(!['reserved', 'repeat', 'claimed'].includes(kind))
    }
  })

  it.each([
    ['not-started', 425],
    ['paused', 409],
    ['ended', 410],
    ['sold-out', 410],
    ['limit-reached', 409],
    ['too-many-requests', 429],
    ['sign-in-required', 401],
    ['level-too-low', 403],
    ['blocked', 403],
    ['challenge-required', 403],
    ['challenge-failed', 403],
    ['stale-page', 409],
    ['unknown-sale', 404],
    ['invalid-request', 400],
    ['too-large', 413],
    ['unavailable', 503],
  ] satisfies [OutcomeKind, number][])('keeps the published status of %s', (kind, status) => {
    expect(outcomes[kind].status).toBe(status)
  })
})

it('problem carries the stable code, the field and the facts of an RFC 9457 document', () => {
  expect(problem('sold-out', 'Only 2 units are left.', { remaining: 2 })).toEqual({
    type: 'urn:sluice:problem:sold-out',
    title: 'Sold out',
    status: 410,
    code: 'sold-out',
    detail: 'Only 2 units are left.',
    remaining: 2,
  })
})
