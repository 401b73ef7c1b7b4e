import { expect, it } from 'vitest'
import { foundBy } from './found-by.ts'
import { mutations } from './mutations.ts'

it('every deliberate defect finds the lines that it changes, and has its own name', () => {
  const names = mutations.map((mutation) => mutation.name)
  expect(new Set(names).size).toBe(names.length)
  expect([...foundBy.keys()].filter((name) => !names.includes(name))).toEqual([])
})
