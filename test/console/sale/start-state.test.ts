import { describe, expect, it } from 'vitest'
import type { Translator } from '../../../console/parts/kind-words.ts'
import { actionKey } from '../../../console/sale/actions.ts'
import { startAdvice, startBadge } from '../../../console/sale/start-state.ts'
import { readiness } from '../../../core/sale/readiness.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { voice as english } from '../voices.ts'

const minute = 60_000
const startsAt = new Date(2026, 10, 20, 20, 49).getTime()
const sale = {
  kind: 'goods',
  warmed: true,
  flag: 'off',
  epoch: 0,
  windows: [],
  windowIndex: 0,
  startsAt,
  endsAt: startsAt + 60 * minute,
} as unknown as Sale
const armed = { ...sale, flag: 'on', epoch: 1 } as Sale
const voice: Translator = { ...english, moment: () => 'another day' }

const badge = (of: Sale, now: number) => startBadge(voice, { sale: of, phase: 'scheduled', now }).text
const advice = (of: Sale, now: number) => startAdvice(voice, of, now)

describe('a marketer who could miss a launch', () => {
  it('reads “Not scheduled” on a sale that is warmed and not started, not “Starts soon”', () => {
    expect(badge(sale, startsAt - 60 * minute)).toBe('Not scheduled')
    expect(badge(sale, startsAt - minute)).toBe('Not scheduled')
    expect(badge(sale, startsAt + minute)).toBe('Late: not open')
    expect(badge({ ...sale, warmed: false }, startsAt - 60 * minute)).toBe('Draft')
    expect(badge({ ...sale, warmed: false }, startsAt - minute)).toBe('Not scheduled')
  })

  it('reads “Opens automatically at 20:49” on a sale that is started, and the action beside it opens it now', () => {
    expect(badge(armed, startsAt - minute)).toBe('Opens automatically at 20:49')
    expect(badge(armed, startsAt - 25 * 60 * minute)).toBe('Opens automatically at another day')
    const elsewhere = { ...armed, timeZone: 'Pacific/Kiritimati' } as Sale
    expect(badge(elsewhere, startsAt - minute)).toMatch(/^Opens automatically at another day \(.* GMT\+14\)$/)
    const state = { phase: 'scheduled', inStep: true } as const
    expect(actionKey('open-now', armed, state)).toBe('do.open-now')
    expect(actionKey('start', sale, state)).toBe('do.start')
    expect(actionKey('pause', armed, state)).toBe('do.pause')
    // Asked for again while Redis is behind, it is the same start and not one at once.
    expect(actionKey('start', armed, { ...state, inStep: false })).toBe('do.repeat')
  })

  it('is warned loudly when the start is near or has passed, and quietly before', () => {
    expect(advice(sale, startsAt - 60 * minute)).toMatchObject({ key: 'start.neededText', loud: false })
    expect(advice(sale, startsAt - minute)).toEqual({ key: 'start.soonText', args: { time: '20:49' }, loud: true })
    const elsewhere = { ...sale, timeZone: 'Pacific/Kiritimati' }
    expect(advice(elsewhere, startsAt - minute)?.args.time).toMatch(/^another day \(.* GMT\+14\)$/)
    expect(advice(sale, startsAt + minute)).toMatchObject({ key: 'start.overdueText', loud: true })
    expect(advice(armed, startsAt - minute)).toBeUndefined()
    expect(advice(armed, startsAt + minute)).toBeUndefined()
    expect(readiness(armed, startsAt + minute).state).toBe('open')
  })
})
