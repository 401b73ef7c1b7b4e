import { describe, expect, it } from 'vitest'
import { leftNow } from '../../../static/client/sale/choice.ts'

const pointer = { at: 5000, variants: { s: 1, m: 0 } }

describe('what is left of the variants (N1)', () => {
  it('is what the pointer says, and unknown before there is one', () => {
    expect(leftNow(undefined, undefined, 9000)).toEqual({})
    expect(leftNow(pointer, undefined, 9000)).toEqual({ s: 1, m: 0 })
  })

  it('is less where a newer refusal has proved it, until the next pointer', () => {
    const proved = { variant: 's', left: 0, at: 6000 }
    expect(leftNow(pointer, proved, 6001)).toEqual({ s: 0, m: 0 })
    expect(leftNow(undefined, proved, 6001)).toEqual({ s: 0 })
    expect(leftNow({ ...pointer, at: 6001 }, proved, 6002)).toEqual({ s: 1, m: 0 })
  })

  it('is what the pointer says again after a minute, should units have returned unseen', () => {
    const proved = { variant: 's', left: 0, at: 6000 }
    expect(leftNow(pointer, proved, 65_999).s).toBe(0)
    expect(leftNow(pointer, proved, 66_000).s).toBe(1)
  })

  it('is never more than the pointer says because of a refusal', () => {
    expect(leftNow(pointer, { variant: 's', left: 3, at: 6000 }, 6001).s).toBe(1)
  })
})
