import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../core/ids.ts'
import type { Phase } from '../../core/phase.ts'
import type { Pointer } from '../../core/pointer.ts'
import { newsOf, phaseSeen } from '../../static/client/phase-seen.ts'

const saleId = parseSaleId('mug')
if (saleId === undefined) throw new Error('mug is a sale id')

const startsAt = 1000
const endsAt = 2000
const pointer = (phase: Phase): Pointer => {
  return { saleId, version: 2, phase, startsAt, endsAt, src: '/sales/mug/countdown.2.js', remaining: 5 }
}
const countdown = (started: boolean) => ({ saleId, version: 2, started, startsAt, endsAt })

describe('the phase a page sees', () => {
  it('opens an armed sale by the clock, though nobody publishes at that moment (C5)', () => {
    const seen = { pointer: pointer('scheduled'), countdown: countdown(true) }
    expect(phaseSeen(seen, startsAt - 1, 5)).toBe('scheduled')
    expect(phaseSeen(seen, startsAt, 5)).toBe('open')
  })

  it('stays closed past the start time while the flag is off (C6)', () => {
    expect(phaseSeen({ pointer: pointer('scheduled'), countdown: countdown(false) }, startsAt + 500, 5)).toBe(
      'scheduled',
    )
    expect(phaseSeen({ pointer: pointer('scheduled'), countdown: undefined }, startsAt + 500, 5)).toBe(
      'scheduled',
    )
  })

  it('is sold out with 0 left and open again when units return (C8)', () => {
    const seen = { pointer: pointer('open'), countdown: countdown(true) }
    expect(phaseSeen(seen, startsAt, 0)).toBe('sold-out')
    expect(phaseSeen({ ...seen, pointer: pointer('sold-out') }, startsAt, 1)).toBe('open')
    expect(phaseSeen(seen, startsAt, -1)).toBe('open')
  })

  it('ends by the clock, or when the pointer says so', () => {
    expect(phaseSeen({ pointer: pointer('open'), countdown: countdown(true) }, endsAt, 5)).toBe('ended')
    expect(phaseSeen({ pointer: pointer('ended'), countdown: undefined }, startsAt, 5)).toBe('ended')
  })

  it('takes pauses and drafts as the pointer tells them', () => {
    expect(phaseSeen({ pointer: pointer('paused'), countdown: countdown(false) }, startsAt, 5)).toBe('paused')
    expect(phaseSeen({ pointer: pointer('draft'), countdown: countdown(false) }, startsAt, 5)).toBe('draft')
  })
})

describe('news of a phase', () => {
  it('tells an opening from a return of units (C8)', () => {
    expect(newsOf('scheduled', 'open')).toBe('status.open')
    expect(newsOf('sold-out', 'open')).toBe('status.returned')
    expect(newsOf(undefined, 'open')).toBe('none')
    expect(newsOf('open', 'open')).toBeUndefined()
    expect(newsOf(undefined, 'sold-out')).toBe('status.soldOut')
  })
})
