/** Schedules as people say them (N6, R7). */
import { describe, expect, it } from 'vitest'
import { type Day, readDay, readTimesOfDay, windowTimes } from '../../../core/sale/schedule.ts'

const utc = ({ year, month, day }: Day, offset: number, minute: number) =>
  Date.UTC(year, month - 1, day + offset, 0, minute)

describe('every day at 9, 10, 11 and 12 for 20 days', () => {
  const spans = windowTimes(
    { firstDay: { year: 2026, month: 12, day: 25 }, days: 20, times: [540, 600, 660, 720], minutes: 45 },
    utc,
  )
  const iso = (ms: number | undefined) => new Date(ms ?? 0).toISOString()

  it('is eighty windows in their order, over the end of the year', () => {
    expect(spans).toHaveLength(80)
    expect(iso(spans[0]?.startsAt)).toBe('2026-12-25T09:00:00.000Z')
    expect(iso(spans[0]?.endsAt)).toBe('2026-12-25T09:45:00.000Z')
    expect(iso(spans[4]?.startsAt)).toBe('2026-12-26T09:00:00.000Z')
    expect(iso(spans.at(-1)?.startsAt)).toBe('2027-01-13T12:00:00.000Z')
    const starts = spans.map(({ startsAt }) => startsAt)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })
})

describe('times of a day', () => {
  it.each([
    ['9, 10, 11, 12', [540, 600, 660, 720]],
    ['21:30 9:05', [545, 1290]],
    ['９', undefined],
    ['9，10：30、11', [540, 630, 660]],
    ['9، 10؛11', [540, 600, 660]],
    ['9, 9:00', [540]],
    ['0', [0]],
    ['23:59', [1439]],
    ['24', undefined],
    ['9:60', undefined],
    ['9:5', undefined],
    ['nine', undefined],
    [' , ', undefined],
    ['', undefined],
  ])('reads %j', (text, times) => {
    expect(readTimesOfDay(text)).toEqual(times)
  })
})

describe('a day', () => {
  it.each([
    ['2026-12-01', { year: 2026, month: 12, day: 1 }],
    ['2028-02-29', { year: 2028, month: 2, day: 29 }],
    ['2027-02-29', undefined],
    ['2026-13-01', undefined],
    ['2026-12-1', undefined],
    ['', undefined],
  ])('reads %j', (text, day) => {
    expect(readDay(text)).toEqual(day)
  })
})
