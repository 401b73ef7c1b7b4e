import { describe, expect, it } from 'vitest'
import { sampleOf } from './sample.ts'

describe('a sample of the long plays', () => {
  const files = Array.from({ length: 50 }, (_, n) => `test/${n}.soak.ts`)

  it('is the same for one seed, in any order of the files', () => {
    expect(sampleOf(files, 'a1')).toEqual(sampleOf(files.toReversed(), 'a1'))
    expect(sampleOf(files, 'a1')).not.toEqual(sampleOf(files, 'a2'))
  })

  it('has each file in its turn', () => {
    const seen = new Set(Array.from({ length: 100 }, (_, seed) => sampleOf(files, String(seed))).flat())
    expect(seen.size).toBe(files.length)
  })
})
