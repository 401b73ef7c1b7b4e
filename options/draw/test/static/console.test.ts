/** The texts of the console about a draw: in the form of its sale, before the start, and among the settings. */
import { describe, expect, it } from 'vitest'
import { fairnessOf } from '../../../../console/form/fairness.tsx'
import { fieldOfFault } from '../../../../console/form/faults.ts'
import { freshText, numberAt } from '../../../../console/form/form-text.ts'
import type { TextPart } from '../../../../console/parts/text-parts.ts'
import { settingsOf, wordsOf } from '../../../../console/sale/setting-words.ts'
import { startQuestion } from '../../../../console/sale/start-question.ts'
import { settingNames } from '../../../../core/sale/settings.ts'
import { words } from '../../../../templates/messages/text.ts'
import { beforeBowl, choosing, entering, errorsOf, blueBowl as typed } from '../../../../test/console/blue-bowl.ts'
import { consoleTexts, voice } from '../../../../test/console/voices.ts'
import { sale } from '../../../../test/core/api/live-answer.ts'
import { fields, maxDrawnUnits } from '../../core/fields.ts'

const minute = 60_000

describe('the form of a sale that draws', () => {
  const draw = {
    ...{ limitPerShopper: '1', maxPerOrder: '1', 'draw.opensAt': '2026-11-20T11:10' },
    ...{ 'draw.closesAt': '2026-11-20T11:30', 'draw.claimSeconds': '60' },
  }
  const round = { startsAt: '2026-11-21T09:00', endsAt: '2026-11-21T10:00', stock: '3' }
  const ranked = { key: 'error.ranked' }
  it.each<[string, Readonly<Record<string, TextPart>>, object]>([
    [
      'a start before its result',
      { 'draw.closesAt': '2026-11-20T11:59' },
      { startsAt: { key: 'error.drawStart', args: { at: '2026-11-20 12:02' } } },
    ],
    ['a start at its result', { 'draw.closesAt': '2026-11-20T11:59', startsAt: '2026-11-20T12:02' }, {}],
    ['a limit of 2', { limitPerShopper: '2' }, { limitPerShopper: { key: 'error.rankedLimit' } }],
    ['rounds', { windows: [round] }, { windows: ranked }],
    ['an unlimited stock', { stock: '-1' }, { stock: { key: 'error.whole', args: { min: 1, max: maxDrawnUnits } } }],
    ['a level', { 'earlyAccess.minLevel': '2', 'earlyAccess.minutes': '5' }, { 'earlyAccess.minutes': ranked }],
    // The result comes at 11:32:05, and the sale starts at noon.
    [
      'offers that end before the start',
      { 'draw.claimSeconds': '5' },
      { 'draw.claimSeconds': { key: 'error.whole', args: { min: 29, max: 43_200 } } },
    ],
  ])('names the field that conflicts with it: %s', (_name, parts, errors) => {
    expect(errorsOf(entering(typed, { ...draw, ...parts }))).toMatchObject(errors)
    expect(Object.keys(errorsOf(entering(typed, { ...draw, ...parts })))).toEqual(Object.keys(errors))
  })

  it('is refused at its first input if all inputs are wrong', () => {
    expect(fieldOfFault('draw', typed)).toBe('draw.opensAt')
  })

  it('moves the start of a draw that would leave no time to enter, and keeps one that does', () => {
    expect(numberAt(choosing(typed, 'draw'), 'startsAt')).toBe(beforeBowl + 25 * 3_600_000)
    const later = entering(typed, { startsAt: '2026-11-21T12:00', endsAt: '2026-11-21T12:30' })
    expect(choosing(later, 'draw')).toMatchObject({ startsAt: later.startsAt, endsAt: later.endsAt })
  })

  it('does not draw coupons', () => {
    const coupons = entering(freshText('en', 0), { 'draw.claimSeconds': '60', kind: 'coupon' })
    expect(fairnessOf(coupons)?.name).toBe('turns')
  })
})

describe('a sale that draws', () => {
  it('names the moment at which it is decided, which no start can precede', () => {
    const draw = { opensAt: 0, closesAt: 60_000, commitSeconds: 60, claimSeconds: 3600 }
    const drawn = { ...sale, windows: [], windowIndex: 0, startsAt: 10 * minute, warmed: true, draw }
    const ask = (now: number) => startQuestion(voice, 'open-now', { ...drawn, timeZone: 'Asia/Tokyo' }, now)
    expect(ask(minute).effects[0]).toBe('It opens at at 125000 (1 Jan 1970, 09:02 GMT+9), the earliest possible time.')
    expect(ask(3 * minute).effects[0]).toMatch(/^It opens immediately, before/)
  })

  it('lists all settings of its draw on its page', () => {
    const draw = { opensAt: 1, closesAt: 2, commitSeconds: 120, claimSeconds: 60 }
    const labels = settingsOf(voice, { ...sale, draw }).map(([label]) => label)
    const expected = settingNames.filter((name) => name in fields.settings)
    expect(expected).toHaveLength(4)
    expect(labels).toEqual(
      expect.arrayContaining(expected.map((name) => words(consoleTexts[wordsOf(name).label], 'en'))),
    )
  })
})
