/** `--every-day` and what completes it (N6, R7). */
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../../cli/sale/definition.ts'
import { readSchedule } from '../../../cli/sale/schedule.ts'

const now = Date.parse('2026-11-20T04:00:00Z')
const schedule = { everyDay: '9,10:30', from: '2027-03-27', days: '2', lasts: '30', zone: 'Europe/Berlin' }
const iso = (ms: number) => new Date(ms).toISOString()

describe('a schedule on the command line', () => {
  it('stays at its time of day when the clocks of its zone change', () => {
    expect(readSchedule(schedule)?.map(({ startsAt, endsAt }) => [iso(startsAt), iso(endsAt)])).toEqual([
      ['2027-03-27T08:00:00.000Z', '2027-03-27T08:30:00.000Z'],
      ['2027-03-27T09:30:00.000Z', '2027-03-27T10:00:00.000Z'],
      ['2027-03-28T07:00:00.000Z', '2027-03-28T07:30:00.000Z'],
      ['2027-03-28T08:30:00.000Z', '2027-03-28T09:00:00.000Z'],
    ])
  })

  it('gives each window the units of --stock', () => {
    const fields = readDefinition({ ...schedule, stock: '40' }, now)
    expect(fields).toMatchObject({ stock: 40, startsAt: Date.parse('2027-03-27T08:00:00Z') })
    expect(fields.windows).toEqual(readSchedule(schedule)?.map((span) => ({ ...span, stock: 40 })))
  })

  it('gives each wave the packets and their total', () => {
    const fields = readDefinition({ ...schedule, currency: 'CNY', packets: '50', total: '20.00' }, now)
    const packets = { count: 50, totalAmount: 2000 }
    expect(fields).toMatchObject({ stock: 50, packets })
    const wave = { stock: 50, totalAmount: 2000 }
    expect(fields.windows).toEqual(readSchedule(schedule)?.map((span) => ({ ...span, ...wave })))
  })

  it.each([
    [{ everyDay: '25' }, '"25" is not a list of times'],
    [{ from: 'tomorrow' }, '--from must be the first day'],
    [{ days: '0' }, '--days must be a whole number'],
    [{ lasts: '1.5' }, '--lasts must be a whole number'],
    [{ zone: 'Mars/Olympus' }, '"Mars/Olympus" is not a time zone'],
  ])('refuses %j and names the option', (change, words) => {
    expect(() => readSchedule({ ...schedule, ...change })).toThrow(words)
  })

  it('refuses its parts without it, and it beside other times', () => {
    expect(() => readSchedule({ days: '3' })).toThrow('--days is part of a schedule: add --every-day')
    expect(() => readDefinition({ ...schedule, starts: 'now' }, now)).toThrow('--every-day excludes')
    expect(() => readDefinition({ ...schedule, window: ['+1h,+2h,5'] }, now)).toThrow('--window excludes')
  })
})
