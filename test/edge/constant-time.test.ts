import { describe, expect, it } from 'vitest'
import { isSameSecret } from '../../edge/constant-time.ts'

describe('a comparison of secrets', () => {
  it.each([
    ['the same text', 'abc', true],
    ['another text', 'abd', false],
    ['a shorter text', 'ab', false],
    ['as many characters of more bytes', 'abé', false],
    ['as many bytes of fewer characters', 'é1', false],
  ])('of %s is %s → %s', (_, given, isSame) => {
    expect(isSameSecret('abc', given)).toBe(isSame)
  })
})
