/** The first screen of a sale at this moment. */
import { describe, expect, it } from 'vitest'
import { endText, openingOf, sellOutText, waitingText } from '../../../console/sale/present-text.ts'
import type { SellOut, WaitingEstimate } from '../../../core/sale/live-pace.ts'
import { aLive, rain, sale } from '../../core/api/live-answer.ts'
import { voice, voiceIn } from '../voices.ts'

const chinese = voiceIn('zh-CN')

describe('the time to the opening', () => {
  const planned = { ...sale, startsAt: 3_725_000, endsAt: 9_000_000, epoch: 0, flag: 'off' as const }
  const opening = (change: object) => openingOf(voice, { ...aLive, sale: { ...planned, ...change }, now: 0 })

  it('says whether the sale opens by itself', () => {
    expect(opening({ epoch: 1, flag: 'on' })).toEqual({ key: 'overview.opensIn', clock: '1:02:05' })
    expect(opening({})).toEqual({ key: 'overview.plannedIn', clock: '1:02:05' })
  })

  it('counts up once the start was missed', () => {
    const late = openingOf(voice, { ...aLive, sale: planned, now: planned.startsAt + 65_000 })
    expect(late).toEqual({ key: 'overview.lateBy', clock: '01:05' })
  })
})

describe('the number of people waiting', () => {
  it.each<[WaitingEstimate | null, string]>([
    [null, '–'],
    [{ count: 0, atLeast: false }, '0'],
    [{ count: 343, atLeast: false }, 'about 340'],
    [{ count: 12_345, atLeast: false }, 'about 12,000'],
    [{ count: 0, atLeast: true }, 'at least 0'],
  ])('of %j reads %s', (waiting, text) => {
    expect(waitingText(voice, waiting)).toBe(text)
  })

  it('is rounded in Chinese too', () => {
    expect(waitingText(chinese, { count: 343, atLeast: false })).toBe('约 340')
  })
})

describe('the time to sold out', () => {
  it.each<[SellOut | null, string]>([
    [null, '–'],
    [{ kind: 'expected', inMs: 38_000 }, 'about 40 s'],
    [{ kind: 'expected', inMs: 190_000 }, 'about 3 min'],
    [{ kind: 'not-before-end' }, 'not before the end at this rate'],
    [{ kind: 'sold-out', afterMs: null }, 'sold out'],
    [{ kind: 'sold-out', afterMs: 400 }, 'sold out in 0.4 s'],
    [{ kind: 'sold-out', afterMs: 2400 }, 'sold out in 2.4 s'],
    [{ kind: 'sold-out', afterMs: 41_000 }, 'sold out in 41 s'],
    [{ kind: 'sold-out', afterMs: 88_000 }, 'sold out in 1 min 28 s'],
  ])('of %j reads %s', (over, text) => {
    expect(sellOutText(voice, over)).toBe(text)
  })

  it.each([
    [2400, '用时 2.4 秒抢完'],
    [60_000, '用时 1 分钟抢完'],
    [88_000, '用时 1 分 28 秒抢完'],
  ])('after %i ms reads %s in Chinese', (afterMs, text) => {
    expect(sellOutText(chinese, { kind: 'sold-out', afterMs })).toBe(text)
  })
})

describe('how a sale ended', () => {
  const ended = { ...aLive, phase: 'ended' as const }
  const gone = { total: 100, booked: 100, heldBack: 0, available: 0 }

  it('names the clock or the hand, and what is left', () => {
    expect(endText(voice, ended)).toBe('Ended as scheduled, at 2. 60 units left unsold.')
    const elsewhere = { ...ended, sale: { ...sale, timeZone: 'Asia/Tokyo' } }
    expect(endText(voice, elsewhere)).toMatch(/^Ended as scheduled, at 2 \(.* GMT\+9\)\. 60 units/)
    const byHand = { ...ended, sale: { ...sale, flag: 'closed' as const }, stock: gone }
    expect(endText(voice, byHand)).toBe('Ended manually. Everything was sold.')
  })

  it('writes no space between Chinese sentences', () => {
    const byHand = { ...ended, sale: { ...sale, flag: 'closed' as const }, stock: gone }
    expect(endText(chinese, byHand)).toBe('已手动结束。已全部售出。')
    expect(endText(chinese, ended)).toBe('已于 at 2 按时结束。剩余 60 件未售出。')
  })

  it('says of a sale that was never started that it did not open', () => {
    const never = { ...sale, epoch: 0, flag: 'off' as const }
    expect(endText(voice, { ...ended, sale: never, stock: null })).toBe('Never opened.')
  })

  it('speaks of red packets as such', () => {
    expect(endText(voice, { ...ended, sale: rain })).toMatch(/60 red packets left\.$/)
    expect(endText(voice, { ...ended, sale: rain, stock: gone })).toMatch(/All red packets were grabbed\.$/)
  })

  it('says nothing of a stock that is unknown or unlimited', () => {
    const unlimited = { total: -1, booked: 7, heldBack: 0, available: -1 }
    for (const stock of [null, unlimited]) {
      expect(endText(voice, { ...ended, stock })).toBe('Ended as scheduled, at 2.')
    }
  })
})
