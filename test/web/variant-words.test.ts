import { describe, expect, it } from 'vitest'
import { linesText } from '../../web/variant-words.ts'

const names = new Map([
  ['s', 'S'],
  ['m', 'M'],
])

describe('the units of an order by variant (N1)', () => {
  it('are named in the order of the sale', () => {
    expect(linesText({ m: 1, s: 2 }, names, 'en')).toBe('2 × S · 1 × M')
    expect(linesText({ m: 1200 }, names, 'en')).toBe('1,200 × M')
  })

  it('are named by their id where the page of the sale is gone', () => {
    expect(linesText({ xl: 1, m: 2, l: 3 }, names, 'en')).toBe('2 × M · 3 × l · 1 × xl')
  })
})
