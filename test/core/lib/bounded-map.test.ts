import { expect, it } from 'vitest'
import { setBounded } from '../../../core/lib/bounded-map.ts'

it('setBounded removes what was set longest ago, and keeps what was set again', () => {
  const map = new Map<string, number>()
  for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) setBounded(map, key, at, 2)
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 3],
  ])
})
