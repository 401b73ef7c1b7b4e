import { describe, expect, it } from 'vitest'
import { safeReturnPath, signInPath } from '../../static/client/return-path.ts'

describe('the way back from sign-in', () => {
  it('leads to pages of this site', () => {
    expect(safeReturnPath('/sales/mug/')).toBe('/sales/mug/')
    expect(safeReturnPath('/orders/?id=mug-a#top')).toBe('/orders/?id=mug-a#top')
  })

  it('never leads anywhere else', () => {
    const traps = [
      null,
      '',
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      'sales/mug/',
      '\\\\evil.example',
      ' //evil.example',
    ]
    expect(traps.map(safeReturnPath)).toEqual(traps.map(() => '/'))
  })

  it('survives the trip through the address', () => {
    const path = '/orders/?id=mug-a&x=1'
    const query = new URL(signInPath(path), 'https://shop.invalid').searchParams
    expect(safeReturnPath(query.get('return'))).toBe(path)
  })
})
