import { describe, expect, it } from 'vitest'
import { pageStart } from '../../../core/sale/page-phase.ts'
import { nextRoundAt, roundKey, roundStates } from '../../../static/sale/round-states.ts'

const hour = 3_600_000
const starts = [9 * hour, 10 * hour, 14 * hour]
/** The pointer of the window that starts at nine and ends as the next one begins, and of the last one. */
const first = { startsAt: 9 * hour, endsAt: 10 * hour, nextStartsAt: 10 * hour }
const second = { startsAt: 10 * hour, endsAt: 11 * hour, nextStartsAt: 14 * hour }
const last = { startsAt: 14 * hour, endsAt: 15 * hour, nextStartsAt: null }

it('the window a page counts to (R7) is the published one until it is over, then the next, before anybody published that', () => {
  expect(pageStart(first, 9.5 * hour)).toBe(9 * hour)
  expect(pageStart(first, 10 * hour)).toBe(10 * hour)
  expect(pageStart(second, 12 * hour)).toBe(14 * hour)
  expect(pageStart(last, 16 * hour)).toBe(14 * hour)
})

describe('the next round (R7)', () => {
  const at = (pointer: typeof first | typeof last, phase: 'scheduled' | 'open' | 'sold-out' | 'ended', now: number) =>
    nextRoundAt(pointer, phase, now, 9 * hour)

  it('is named once this one is sold out or over, and not before the first', () => {
    expect(at(first, 'scheduled', 8 * hour)).toBeUndefined()
    expect(at(first, 'open', 9 * hour)).toBeUndefined()
    expect(at(first, 'sold-out', 9.5 * hour)).toBe(10 * hour)
    expect(at(second, 'scheduled', 12 * hour)).toBe(14 * hour)
  })

  it('stays the same when it is published as the present one', () => {
    expect(at(last, 'scheduled', 12 * hour)).toBe(14 * hour)
  })

  it('is absent behind the last', () => {
    expect(at(last, 'sold-out', 14.5 * hour)).toBeUndefined()
    expect(at(last, 'ended', 15 * hour)).toBeUndefined()
  })
})

describe('the marks on the list of rounds (R7)', () => {
  it('name the one to wait for, the one that is on, and those that are over', () => {
    expect(roundStates(starts, first, 'scheduled', 8 * hour)).toEqual(['next', 'later', 'later'])
    expect(roundStates(starts, first, 'open', 9 * hour)).toEqual(['now', 'next', 'later'])
    expect(roundStates(starts, first, 'sold-out', 9.5 * hour)).toEqual(['now', 'next', 'later'])
    expect(roundStates(starts, second, 'scheduled', 12 * hour)).toEqual(['over', 'over', 'next'])
    expect(roundStates(starts, last, 'open', 14 * hour)).toEqual(['over', 'over', 'now'])
    expect(roundStates(starts, last, 'ended', 15 * hour)).toEqual(['over', 'over', 'over'])
  })

  it('do not call the present one “Live” while the sale is paused, checked or sold out', () => {
    for (const phase of ['open', 'paused', 'held-back', 'sold-out'] as const) {
      expect(roundKey('now', phase)).toBe(`phase.${phase}`)
    }
    expect(roundKey('next', 'paused')).toBe('round.next')
  })

  it('say of a round that was opened early that it is on', () => {
    const early = { ...second, startsAt: 9.75 * hour }
    expect(roundStates(starts, early, 'open', 9.8 * hour)).toEqual(['over', 'now', 'next'])
    expect(roundStates(starts, { ...first, startsAt: 8 * hour }, 'open', 8.5 * hour)).toEqual(['now', 'next', 'later'])
  })

  it('call none the next or over when the sale has other windows than the page', () => {
    const other = { startsAt: 20 * hour, endsAt: 21 * hour, nextStartsAt: 22 * hour }
    expect(roundStates(starts, other, 'open', 20.5 * hour)).toEqual(['later', 'later', 'later'])
  })
})
