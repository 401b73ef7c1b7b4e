import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../../core/ids.ts'
import type { Countdown, Pointer } from '../../../core/sale/pointer.ts'
import { isArmed } from '../../../static/client/sale/phase-seen.ts'

const startsAt = 1_000_000_000

describe('an armed page', () => {
  const saleId = parseSaleId('mug')
  if (saleId === undefined) throw new Error('mug is a sale id')
  const window = { saleId, version: 2, startsAt, endsAt: startsAt + 60_000 }
  const pointer: Pointer = {
    ...{ ...window, at: startsAt - 60_000, phase: 'scheduled', nextStartsAt: null, remaining: 5 },
    src: '/sales/mug/countdown.2.js',
  }
  const whole = { ...window, requirePass: 'on', spreadSeconds: 0 } as const
  const countdown: Countdown = { ...whole, started: true, startToken: 'a-token' }
  const armed: Pointer = { ...pointer, countdown }

  it('holds a started countdown of its pointer, with the token (C5)', () => {
    expect(isArmed(armed, startsAt)).toBe(true)
    expect(isArmed({ ...armed, remaining: -1 }, startsAt)).toBe(true)
  })

  it.each<[string, Parameters<typeof isArmed>[0]]>([
    ['has seen nothing', undefined],
    ['has no countdown, by an older publisher', pointer],
    ['has one that is not started', { ...pointer, countdown: { ...whole, started: false } }],
    ['has no token', { ...pointer, countdown: { ...whole, started: true } }],
    ['sees a draft', { ...armed, phase: 'draft' }],
    ['sees a pause', { ...armed, phase: 'paused' }],
    ['sees nothing left', { ...armed, remaining: 0 }],
  ])('is none that %s', (_, seen) => {
    expect(isArmed(seen, startsAt)).toBe(false)
  })

  it('is armed for its own window, not for the one after it (R7)', () => {
    const next = window.endsAt + 60_000
    const seen = { ...armed, nextStartsAt: next }
    expect([isArmed(seen, startsAt), isArmed(seen, next)]).toEqual([true, false])
  })
})
