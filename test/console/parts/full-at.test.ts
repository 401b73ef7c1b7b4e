import { describe, expect, it } from 'vitest'
import { fullAt } from '../../../console/parts/field.tsx'

describe('a field that takes no more', () => {
  it('says its limit, because a browser cuts what is pasted in silence', () => {
    expect(fullAt({ value: 'a'.repeat(4000), maxlength: 4000 })).toBe(4000)
    expect(fullAt({ value: 'a'.repeat(3999), maxlength: 4000 })).toBeUndefined()
    expect(fullAt({ value: 'long' })).toBeUndefined()
  })

  it('says nothing of a code, which always has its whole length', () => {
    expect(fullAt({ value: 'CNY', maxlength: 3 })).toBeUndefined()
  })
})
