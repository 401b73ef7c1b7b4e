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
  const countdown: Countdown = { ...whole, started: false, startToken: 'a-parameter' }

  it('holds a countdown of its pointer, with what a click sends in the first seconds (C5, C6)', () => {
    expect(isArmed({ pointer, countdown }, startsAt)).toBe(true)
    expect(isArmed({ pointer: { ...pointer, remaining: -1 }, countdown }, startsAt)).toBe(true)
  })

  it.each<[string, Parameters<typeof isArmed>[0]]>([
    ['has seen nothing', undefined],
    ['has no countdown yet', { pointer, countdown: undefined }],
    ['has one that is not started', { pointer, countdown: { ...whole, started: false } }],
    ['has that of the start', { pointer, countdown: { ...countdown, started: true } }],
    ['sees a draft', { pointer: { ...pointer, phase: 'draft' }, countdown }],
    ['sees a pause', { pointer: { ...pointer, phase: 'paused' }, countdown }],
    ['sees nothing left', { pointer: { ...pointer, remaining: 0 }, countdown }],
  ])('is none that %s', (_, seen) => {
    expect(isArmed(seen, startsAt)).toBe(false)
  })

  it('is armed for its own window, not for the one after it (R7)', () => {
    const next = window.endsAt + 60_000
    const seen = { pointer: { ...pointer, nextStartsAt: next }, countdown }
    expect([isArmed(seen, startsAt), isArmed(seen, next)]).toEqual([true, false])
  })
})
