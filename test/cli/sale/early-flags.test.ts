import { describe, expect, it } from 'vitest'
import { readEdit } from '../../../cli/sale/definition.ts'
import { aSale } from '../../redis/support.ts'

const sale = aSale({ earlyAccess: { minutes: 10, minLevel: 3, list: 'on' } })

describe('the options of early access', () => {
  it.each([
    [{ earlyMinutes: '20' }, { minutes: 20, minLevel: 3, list: 'on' }],
    [{ earlyLevel: 'none' }, { minutes: 10, list: 'on' }],
    [
      { earlyList: 'none', earlyLevel: '5' },
      { minutes: 10, minLevel: 5 },
    ],
    [{ earlyList: 'only' }, { minLevel: 3, list: 'only' }],
    [{ earlyMinutes: 'none' }, null],
  ])('%j make an edit of the whole', (flags, earlyAccess) => {
    expect(readEdit(flags, sale, 0)).toEqual({ earlyAccess })
  })

  it('take whole numbers only', () => {
    expect(() => readEdit({ earlyMinutes: 'soon' }, sale, 0)).toThrow('"soon" is not a whole number')
  })
})
