import { describe, expect, it } from 'vitest'
import { countryChoices, isCountry } from '../../../core/people/country.ts'

describe('the countries to choose from', () => {
  it('are those that a sale may be sent to, each once: no union, no part of one, and none by a former code', () => {
    const codes = countryChoices()
    expect(codes.filter((code) => !isCountry(code))).toEqual([])
    expect(codes).toEqual(expect.arrayContaining(['CN', 'DE', 'GB', 'HK', 'TW', 'US', 'XK']))
    expect(codes.filter((code) => ['EU', 'UN', 'DD', 'SU', 'UK', 'IC', 'ZZ'].includes(code))).toEqual([])
    const names = new Intl.DisplayNames('en', { type: 'region' })
    expect(new Set(codes.map((code) => names.of(code))).size).toBe(codes.length)
  })
})
