/** A small rush through the whole system, to hold the rush itself and the rules only a crowd can show. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { playRush, type RushOptions } from '../../bench/rush/play.ts'
import type { Result } from '../../bench/rush/report.ts'
import { openSystem, type System } from '../../bench/system.ts'
import { type Stack, startStack } from '../../local/stack.ts'

let stack: Stack
let system: System
beforeAll(async () => {
  stack = await startStack({ demo: false, visibilitySeconds: 3 })
  system = await openSystem(`http://127.0.0.1:${stack.port}`)
})
afterAll(async () => {
  system.close()
  await stack.stop()
})

const calm: RushOptions = {
  shoppers: 300,
  stock: 10,
  quantity: 1,
  limitPerShopper: 1,
  concurrency: 32,
  seed: 1,
  patienceMs: 20_000,
  settleMs: 20_000,
  fault: undefined,
  startStep: () => ({ to: () => {}, end: () => {} }),
}
const rush = (change: Partial<RushOptions>) => playRush(system, { ...calm, ...change })
const answered = (result: Result, code: string) => result.answers.find((a) => a.code === code)?.count ?? 0

describe('a rush of 300 for ten phones', () => {
  let result: Result
  beforeAll(async () => {
    result = await rush({})
  })

  it('sells ten and tells everybody else that it is sold out (L4, L5)', () => {
    expect(result.verdict).toMatchObject({ sold: 10, oversold: 0, lost: 0, stranded: 0, violations: [] })
    expect(answered(result, 'reserved')).toBe(10)
    expect(answered(result, 'sold-out')).toBe(290)
    expect(result.gaveUp).toBe(0)
  })

  it('shows every sampled winner the order (I2)', () => {
    expect(result.readable?.sampled).toBe(10)
  })

  it('lets few of the losing clicks reach a function, and none the database (L2, L3, L6, S11)', () => {
    // Those on their way when the last unit went, and those of the next moment, before the gate heard of it.
    expect(result.load.functionRunsPerLosingClick).toBeLessThan(0.5)
    expect(result.verdict.sold).toBe(10)
  })
})

describe('a rush for threes of ten units', () => {
  it('sells nine and shows the last one honestly (S8)', async () => {
    const result = await rush({ shoppers: 60, quantity: 3, limitPerShopper: 3 })
    expect(result.verdict).toMatchObject({ sold: 9, expected: 9, violations: [] })
  })
})

describe('a rush while the queue is down', () => {
  it('keeps every promise all the same (O4, O5)', async () => {
    const fault = { target: 'sqs', mode: 'down', forMs: 1500 }
    const result = await rush({ shoppers: 100, stock: 30, fault })
    expect(result.verdict).toMatchObject({ sold: 30, lost: 0, violations: [] })
  })
})

describe('a rush with less demand than stock', () => {
  it('leaves what nobody wanted on the shelf', async () => {
    const result = await rush({ shoppers: 5, stock: 10 })
    expect(result.verdict).toMatchObject({ sold: 5, expected: 5, violations: [] })
  })
})
