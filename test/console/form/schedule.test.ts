/** The rounds of a schedule in the console's form (N6, R7). */
import { afterEach, describe, expect, it } from 'vitest'
import { scheduledWindows } from '../../../console/form/window-fields.tsx'

const text = { firstDay: '2026-12-30', days: '3', times: '9, 21:30', minutes: '45' }
const sample = { startsAt: 'typed before', endsAt: 'typed before', stock: '30' }

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

describe('a schedule in the form', () => {
  it('fills in rounds with the stock of the first one, in the viewer’s zone', () => {
    const filled = scheduledWindows(text, sample, undefined)
    const round = (startsAt: string, endsAt: string) => ({ startsAt, endsAt, stock: '30' })
    expect(filled).toEqual({
      rows: [
        round('2026-12-30T09:00', '2026-12-30T09:45'),
        round('2026-12-30T21:30', '2026-12-30T22:15'),
        round('2026-12-31T09:00', '2026-12-31T09:45'),
        round('2026-12-31T21:30', '2026-12-31T22:15'),
        round('2027-01-01T09:00', '2027-01-01T09:45'),
        round('2027-01-01T21:30', '2027-01-01T22:15'),
      ],
    })
  })

  it.each([
    [{ firstDay: '' }, 'firstDay', 'error.day'],
    [{ times: '9 o’clock' }, 'times', 'error.timesOfDay'],
    [{ minutes: '0' }, 'minutes', 'error.whole'],
    [{ minutes: '1441' }, 'minutes', 'error.whole'],
    [{ days: '51' }, 'days', 'error.scheduleDays'],
    [{ days: '' }, 'days', 'error.scheduleDays'],
    [{ minutes: '751' }, 'minutes', 'error.scheduleOverlap'],
  ])('refuses %j at its field', (change, name, key) => {
    expect(scheduledWindows({ ...text, ...change }, sample, undefined)).toMatchObject({
      wrong: name,
      key,
    })
  })

  it('says which time of which day the clocks skip, and not that rounds would overlap', () => {
    process.env.TZ = 'Europe/Berlin'
    const spring = { firstDay: '2027-03-27', days: '3', times: '2:30, 3:30', minutes: '45' }
    expect(scheduledWindows(spring, sample, undefined)).toEqual({
      wrong: 'times',
      key: 'error.timeSkipped',
      args: { day: '2027-03-28', time: '2:30', next: '3:00' },
    })
    const autumn = { ...spring, firstDay: '2027-10-30' }
    expect(scheduledWindows(autumn, sample, undefined)).toHaveProperty('rows')
  })

  it('reads and repeats each time by the clocks of the sale, for a viewer in any zone', () => {
    process.env.TZ = 'Asia/Shanghai'
    const autumn = { firstDay: '2026-10-24', days: '2', times: '0:30, 15', minutes: '180' }
    const filled = scheduledWindows(autumn, sample, 'Europe/Berlin')
    expect('rows' in filled && filled.rows.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      ['2026-10-24T00:30', '2026-10-24T03:30'],
      ['2026-10-24T15:00', '2026-10-24T18:00'],
      // The clocks go back in it.
      ['2026-10-25T00:30', '2026-10-25T02:30 second'],
      ['2026-10-25T15:00', '2026-10-25T18:00'],
    ])
    const spring = { firstDay: '2027-03-27', days: '2', times: '2:30', minutes: '60' }
    expect(scheduledWindows(spring, sample, 'Europe/Berlin')).toMatchObject({ key: 'error.timeSkipped' })
    expect(scheduledWindows(spring, sample, undefined)).toHaveProperty('rows')
  })

  it('fits as many rounds as a sale may have', () => {
    const filled = scheduledWindows({ ...text, days: '50' }, sample, undefined)
    expect('rows' in filled && filled.rows).toHaveLength(100)
  })
})
