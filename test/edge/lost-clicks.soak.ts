/** Many random clicks, given to the function before the gate and to the gate. */
import { expect, it } from 'vitest'
import { compareClicks } from './lost-clicks.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

it(`what the function before the gate refuses, the gate refuses as well: 40,000 clicks of seed ${seed} (L6)`, async () => {
  const codes = await compareClicks(seed, 40_000)
  expect([...codes.values()].reduce((sum, times) => sum + times, 0)).toBe(40_000)
}, 300_000)
