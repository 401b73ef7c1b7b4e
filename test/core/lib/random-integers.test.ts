import { describe, expect, it } from 'vitest'
import { randomIntegerFrom } from '../../../core/lib/random-integers.ts'
import { seededWords } from '../words.ts'

describe('a draw', () => {
  it('is a whole number below its bound, for every bound up to 2^53', () => {
    const draw = randomIntegerFrom(seededWords(1))
    for (const below of [1, 2, 3, 1000, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 52 + 7, Number.MAX_SAFE_INTEGER]) {
      for (let turn = 0; turn < 200; turn += 1) {
        const drawn = draw(below)
        expect(Number.isSafeInteger(drawn) && drawn >= 0 && drawn < below, `${drawn} below ${below}`).toBe(true)
      }
    }
  })

  it('uses no word from the end of the range, where small numbers would be more likely', () => {
    const words = [0xffff_ffff, 0xffff_fffe, 5]
    const draw = randomIntegerFrom(() => words.shift() ?? 0)
    // 2^32 leaves 2 over when divided by 2^32 - 2.
    expect(draw(2 ** 32 - 2)).toBe(5)
    expect(words).toEqual([])
  })

  it('reaches numbers beyond 32 bits', () => {
    const draw = randomIntegerFrom(seededWords(2))
    const drawn = Array.from({ length: 1000 }, () => draw(2 ** 40))
    expect(Math.max(...drawn)).toBeGreaterThan(2 ** 39)
    expect(drawn.filter((number) => number > 2 ** 39).length).toBeGreaterThan(400)
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('is refused below %s', (below) => {
    expect(() => randomIntegerFrom(() => 0)(below)).toThrow(RangeError)
  })
})
