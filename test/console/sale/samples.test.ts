import { describe, expect, it } from 'vitest'
import {
  clickColumns,
  courseOf,
  lastOf,
  sampleOfLive,
  tableRows,
  thinned,
  unitColumns,
  withSample,
} from '../../../console/sale/samples.ts'
import { demandFigures, type SeriesSample, sampleOf, seriesColumns } from '../../../core/sale/series.ts'
import { aLive } from '../../core/api/live-answer.ts'

/** `taken` units of 100 at that second, and as many clicks. */
const at = (second: number, taken: number, left = 100 - taken): SeriesSample => ({
  ...sampleOf(second * 1000, { taken, left }, undefined, null),
  ...{ asked: taken, won: taken, soldOut: 0, full: 0 },
})

const course = (seconds: readonly SeriesSample[], minutes: readonly SeriesSample[] = []) =>
  courseOf({ seconds: seriesColumns(seconds), minutes: seriesColumns(minutes) }, [])

describe('the course of a sale', () => {
  it('is the kept minutes, the kept seconds, and the looks of the page after them', () => {
    const kept = { minutes: [at(59, 1), at(119, 2), at(179, 4)], seconds: [at(120, 3), at(121, 4)] }
    const looks = [at(121, 9), at(122, 5)]
    const columns = { minutes: seriesColumns(kept.minutes), seconds: seriesColumns(kept.seconds) }
    expect(courseOf(columns, looks).map(({ at: second, taken }) => [second, taken])).toEqual([
      [59, 1],
      [119, 2],
      [120, 3],
      [121, 4],
      [122, 5],
    ])
  })

  it('has a gap where looks are missing, and none where nothing happened or each minute has one', () => {
    expect(unitColumns(course([at(100, 1), at(101, 2), at(120, 30)]))).toEqual([
      [100, 101, 102, 120],
      [99, 98, null, 70],
      [1, 2, null, 30],
    ])
    const unseen = { ...at(400, 1), admitted: 5 }
    expect(unitColumns(course([at(100, 1), unseen, at(401, 2)]))[0]).toEqual([100, 400, 401])
    expect(unitColumns(course([], [at(59, 1), at(119, 2), at(179, 3), at(359, 9)]))[0]).toEqual([
      59, 119, 179, 180, 359,
    ])
  })

  it('draws clicks in a second, and none across a gap or where the counts began again', () => {
    const [seconds, asked] = clickColumns(course([at(10, 0), at(12, 8), at(13, 3), at(14, 5)]))
    expect([seconds, asked]).toEqual([
      [10, 12, 13, 14],
      [null, 4, null, 2],
    ])
    expect(clickColumns(course([at(10, 0), at(50, 8)]))[1]).toEqual([null, null, null])
  })

  it('draws no line for an unlimited stock (S4), and nothing that is not known (P10)', () => {
    expect(unitColumns(course([at(2, 3, -1)]))).toEqual([[2], [null], [3]])
    expect(sampleOfLive({ ...aLive, frozen: true, demand: null })).toMatchObject({ left: null, asked: null })
  })

  it('has a row for each minute in its table, the newest first, and fewer rows in a long one', () => {
    const rows = tableRows(course([at(59, 1), at(60, 2), at(119, 3), at(120, 4)]), 60)
    expect(rows.map(({ taken }) => taken)).toEqual([4, 3, 1])
    const weeks = Array.from({ length: 21 * 1440 }, (_, minute) => at(minute * 60, minute))
    const few = tableRows(thinned(weeks), 60)
    expect(few.length).toBeGreaterThan(20)
    expect(few.length).toBeLessThanOrEqual(61)
    expect([few[0]?.taken, few.at(-1)?.at]).toEqual([21 * 1440 - 1, expect.any(Number)])
    expect(few.every(({ taken }) => taken !== null)).toBe(true)
    expect(tableRows(lastOf(course(weeks), 3600), 60)).toHaveLength(60)
  })

  it('is thinned where it has many days, and keeps ends, the busiest minute, quiet times and gaps', () => {
    const minutes: SeriesSample[] = []
    for (let minute = 0, clicks = 0; minute < 40 * 1440; minute += 1) {
      clicks += minute === 20_000 ? 6000 : 1
      const [isQuiet, isLost] = [minute > 30_000 && minute < 33_000, minute > 50_000 && minute < 53_000]
      if (isQuiet) clicks -= 1
      if (!isQuiet && !isLost) minutes.push(at(minute * 60, clicks))
      if (minute === 32_999) minutes.push(at(minute * 60, clicks))
    }
    const few = thinned(minutes)
    expect(few.length).toBeLessThanOrEqual(5 * 121)
    expect(few[0]).toMatchObject(minutes[0] ?? {})
    expect(few.at(-1)).toMatchObject(minutes.at(-1) ?? {})
    const columns = courseOf({ seconds: seriesColumns([]), minutes: seriesColumns([]) }, [], few)
    const [seconds, rates] = clickColumns(columns)
    expect(Math.max(...(rates ?? []).map((rate) => rate ?? 0))).toBe(100)
    const shown = seconds.map((second, i) => [second / 60, rates?.[i] ?? null] as const)
    const within = (from: number, to: number) =>
      shown.flatMap(([minute, rate]) => (minute > from && minute < to ? [rate] : []))
    expect(within(32_000, 33_000)).toEqual([0])
    expect(within(50_000, 53_000)).toEqual([null])
  })

  it('takes a look once, and of the live numbers the units that no recovery holds back', () => {
    const look = sampleOfLive(aLive)
    expect(look).toMatchObject({ at: 1, taken: 40, left: 60, asked: 900, won: 40, soldOut: 860, other: 0 })
    expect(withSample(withSample([], look), look)).toEqual([look])
  })
})

it('the clicks of a sale are those with an outcome at least, and each refusal is in one group', () => {
  const gate = new Map(Object.entries({ forwarded: 5, 'at-capacity': 3, paused: 2, blocked: 1, conflict: 4 }))
  const stock = new Map(Object.entries({ reserved: 4, repeat: 1, 'limit-reached': 20 }))
  const demand = demandFigures({ gate, stock })
  expect(demand).toMatchObject({ asked: 35, decided: 25, won: 5 })
  expect(demand.refused[0]).toEqual({ reason: 'limit-reached', count: 20 })
  const { at: _, taken, left, ...counts } = sampleOf(0, undefined, demand, 5)
  expect(counts).toEqual({
    ...{ asked: 35, admitted: 5, won: 5, soldOut: 0, full: 3, closed: 2, limited: 20, checked: 1, other: 4 },
  })
  expect([taken, left]).toEqual([null, null])
})
