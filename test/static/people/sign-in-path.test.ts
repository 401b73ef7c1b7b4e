import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeReturnPath } from '../../../core/people/return-path.ts'
import { signInPath } from '../../../core/people/sign-in-paths.ts'

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
      // Through dot segments and backslashes.
      '/.//evil.example/',
      '/x/..//evil.example/',
      '/%2e//evil.example',
      '/%2E%2e//evil.example',
      '/./\\evil',
      '/./\\/evil',
      '/..//\\evil.example/a?b#c',
      '/.\t//evil.example/',
    ]
    expect(traps.map(safeReturnPath)).toEqual(traps.map(() => '/'))
  })

  it('stays on this site for any text that a link may hold', () => {
    const shop = 'https://shop.example'
    const part = fc.constantFrom(
      ...['/', '//', '\\', '.', '..', '%2e', '%2E', '%2f', '%5c', '\t', '\n', ' ', '@', ':', '?', '#'],
      ...['evil.example', 'https:', 'javascript:', 'x', '\u3002', '\uff0f'],
    )
    const text = fc.oneof(
      fc.array(part, { maxLength: 10 }).map((parts) => parts.join('')),
      fc.webAuthority().map((host) => `https://${host}/orders`),
      fc.string(),
    )
    const link = fc.oneof(
      text,
      text.map((rest) => `/${rest}`),
    )
    fc.assert(
      fc.property(link, (wanted) => {
        const path = safeReturnPath(wanted)
        expect(new URL(path, `${shop}/sign-in/`).origin).toBe(shop)
        expect(path).toMatch(/^\/(?![/\\])/)
        expect(safeReturnPath(path)).toBe(path)
      }),
      { numRuns: 2000 },
    )
  })

  it('survives the trip through the address', () => {
    const path = '/orders/?id=mug-a&x=1'
    const query = new URL(signInPath(path), 'https://shop.invalid').searchParams
    expect(safeReturnPath(query.get('return'))).toBe(path)
  })
})
