/** Small rushes for variants, through the whole system. */
import { describe, expect, it } from 'vitest'
import type { RushOptions } from '../../../proof/rush/options.ts'
import { runRush } from '../../../proof/rush/run-rush.ts'
import { calm, openRushedSystem } from './rushed-system.ts'

const system = await openRushedSystem({ databases: 1 })

const varied: RushOptions = { ...calm, stock: 30, variants: 3 }

describe('a rush of 300 for 30 units of three variants', () => {
  it('sells every unit of each variant, though half of all shoppers want the same (N1, I1)', async () => {
    const result = await runRush(system, varied)
    const whole = { stock: 10, sold: 10, oversold: 0 }
    expect(result.verdict).toMatchObject({
      ...{ sold: 30, oversold: 0, lost: 0, stranded: 0, violations: [] },
      variants: [whole, whole, whole],
    })
    expect(result.gaveUp).toBe(0)
  })

  it('sells orders of three within the limit of a shopper over all variants (N1, I3)', async () => {
    const result = await runRush(system, { ...varied, quantity: 3, limitPerShopper: 3, variants: 5 })
    expect(result.verdict).toMatchObject({ oversold: 0, lost: 0, stranded: 0, violations: [] })
    expect(result.verdict.sold % 3).toBe(0)
    expect(result.gaveUp).toBe(0)
  })

  it('loses no order while the queue is down (N1, O4, O5)', async () => {
    const fault = { target: 'sqs', mode: 'down', forMs: 1500 } as const
    const result = await runRush(system, { ...varied, quantity: 2, limitPerShopper: 2, fault })
    expect(result.verdict).toMatchObject({ oversold: 0, lost: 0, stranded: 0, violations: [] })
  })
})
