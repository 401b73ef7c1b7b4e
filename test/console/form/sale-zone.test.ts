/** Times of the console's form are those of the sale's zone in a browser of any zone (N6, R7). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anotherWindow, editOf, inZone, textOf } from '../../../console/form/form-text.ts'
import { fromLocalInput, repeatedTimes, toLocalInput } from '../../../console/parts/typed.ts'
import { definitionOf, entering, errorsIn, errorsOf, blueBowl as typed } from '../blue-bowl.ts'

const machine = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Asia/Shanghai'
})
afterEach(() => {
  if (machine === undefined) delete process.env.TZ
  else process.env.TZ = machine
})

const iso = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString()
const inBerlin = entering(typed, {
  ...{ timeZone: 'Europe/Berlin', startsAt: '2026-10-24T20:00', endsAt: '2026-10-26T20:00' },
})

describe('a time in the form of a sale', () => {
  it('is read and written in the zone of the sale, in a browser of another zone', () => {
    const { startsAt, endsAt } = definitionOf(inBerlin)
    expect([iso(startsAt), iso(endsAt)]).toEqual(['2026-10-24T18:00:00.000Z', '2026-10-26T19:00:00.000Z'])
    const shown = textOf(definitionOf(inBerlin))
    expect([shown.startsAt, shown.endsAt]).toEqual(['2026-10-24T20:00', '2026-10-26T20:00'])
  })

  it('is read so in rounds and in the validity of coupons', () => {
    const rounds = [{ startsAt: '2026-11-20T09:00', endsAt: '2026-11-20T10:00', stock: '5' }]
    const inNewYork = { ...typed, timeZone: 'America/New_York' }
    expect(iso(definitionOf({ ...inNewYork, windows: rounds }).windows[0]?.startsAt)).toBe('2026-11-20T14:00:00.000Z')
    const validity = { 'coupons.validUntil': '2026-12-24T18:00' }
    const coupon = definitionOf(entering(inNewYork, { kind: 'coupon', ...validity }))
    expect(iso(coupon.coupons?.validUntil)).toBe('2026-12-24T23:00:00.000Z')
    expect(textOf({ ...coupon, windows: [{ startsAt: 0, endsAt: 3_600_000, stock: 1 }] }).windows[0]?.startsAt).toBe(
      '1969-12-31T19:00',
    )
  })

  it('may be either of the two where the clocks go back', () => {
    const hour = 3_600_000
    const first = fromLocalInput('2026-10-25T02:30', 'Europe/Berlin')
    expect(iso(first)).toBe('2026-10-25T00:30:00.000Z')
    expect(repeatedTimes('2026-10-25T02:30', 'Europe/Berlin')).toEqual([first, first + hour])
    expect(repeatedTimes('2026-10-25T03:00', 'Europe/Berlin')).toEqual([])
    expect(repeatedTimes('2026-10-25T02:30', 'Asia/Shanghai')).toEqual([])
    const second = toLocalInput(first + hour, 'Europe/Berlin')
    expect(second).not.toBe('2026-10-25T02:30')
    expect(fromLocalInput(second, 'Europe/Berlin')).toBe(first + hour)
    expect(definitionOf({ ...inBerlin, startsAt: second }).startsAt).toBe(first + hour)
    const autumn = Date.parse('2026-11-01T05:30:00Z')
    for (const ms of [autumn, autumn + hour, autumn + 2 * hour])
      expect(fromLocalInput(toLocalInput(ms, 'America/New_York'), 'America/New_York')).toBe(ms)
    // The browser's own clocks go back as well.
    process.env.TZ = 'Europe/Berlin'
    expect(fromLocalInput(toLocalInput(first + hour, undefined), undefined)).toBe(first + hour)
  })

  it('is refused where the clocks skip it, with the next one that they show', () => {
    const skipped = { ...inBerlin, startsAt: '2026-03-29T02:30', endsAt: '2026-10-26T20:00' }
    expect(errorsIn(skipped)).toEqual({ startsAt: 'error.timeGap' })
    const next = (text: string) => errorsOf({ ...skipped, startsAt: text }).startsAt?.args
    expect(next('2026-03-29T02:30')).toEqual({ next: '2026-03-29 03:00' })
    expect(next('2026-03-29T02:00:10')).toEqual({ next: '2026-03-29 03:00' })
    expect(next('2026-03-29T')).not.toHaveProperty('next')
    expect(errorsIn({ ...skipped, timeZone: 'America/New_York' })).toEqual({})
    expect(errorsIn({ ...skipped, timeZone: 'America/New_York', startsAt: '2026-03-08T02:15' })).toEqual({
      startsAt: 'error.timeGap',
    })
  })

  it('stays the same moment when another zone is typed, and what cannot be read stays as it is', () => {
    const moved = inZone(entering(inBerlin, { endsAt: '?' }), 'America/New_York')
    expect([moved.timeZone, moved.startsAt, moved.endsAt]).toEqual([...['America/New_York', '2026-10-24T14:00', '?']])
    expect(definitionOf(entering(moved, { endsAt: '2026-10-26T14:00' })).startsAt).toBe(definitionOf(inBerlin).startsAt)
    const browser = inZone(inBerlin, 'Europe/Berl')
    expect(browser.startsAt).toBe('2026-10-25T02:00')
  })

  it('is no change of the sale when only its zone is', () => {
    const before = textOf(definitionOf(inBerlin))
    const after = inZone(before, 'America/New_York')
    expect(editOf(before, after, definitionOf(after))).toEqual({ timeZone: 'America/New_York' })
    const later = { ...after, endsAt: '2026-10-26T16:00' }
    expect(Object.keys(editOf(before, later, definitionOf(later))).sort()).toEqual(['endsAt', 'timeZone'])
  })

  it('is a day later by the clocks of the sale in the next round', () => {
    const round = { startsAt: '2026-10-24T20:00', endsAt: '2026-10-24T21:00', stock: '1' }
    expect(anotherWindow(entering(inBerlin, { windows: [round] })).startsAt).toBe('2026-10-25T20:00')
  })
})
