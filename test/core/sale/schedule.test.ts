/** Schedules as people say them (N6, R7). */
import { expect, it } from 'vitest'
import { readDay, readTimesOfDay } from '../../../core/sale/schedule.ts'

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
])('times of a day reads %j', (text, times) => {
  expect(readTimesOfDay(text)).toEqual(times)
})

it.each([
  ['2026-12-01', Date.UTC(2026, 11, 1)],
  ['2028-02-29', Date.UTC(2028, 1, 29)],
  ['2027-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-12-1', undefined],
  ['', undefined],
])('a day reads %j', (text, day) => {
  expect(readDay(text)).toEqual(day)
})
