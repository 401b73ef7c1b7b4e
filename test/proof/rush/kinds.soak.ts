/** Small rushes for coupons, red packets and variants through the whole system, for the rules that need many shoppers. */
import { describe, expect, it } from 'vitest'
import type { RushOptions } from '../../../proof/rush/options.ts'
import { runPacketRush } from '../../../proof/rush/packets/run-packet-rush.ts'
import type { RoundFacts } from '../../../proof/rush/run-round.ts'
import { runRush } from '../../../proof/rush/run-rush.ts'
import { calm, openRushedSystem } from './rushed-system.ts'

const system = await openRushedSystem({ databases: 1 })

const answered = ({ answers }: RoundFacts, code: string) => answers.find((a) => a.code === code)?.count ?? 0

describe('a rush of 60 for ten coupons in threes', () => {
  it('hands out nine codes, all different, and shows the last coupon as left everywhere (S8, I1, I2)', async () => {
    const result = await runRush(system, {
      ...calm,
      ...{ shoppers: 60, kind: 'coupon', stock: 10, quantity: 3 },
    })
    expect(result.verdict).toMatchObject({ sold: 9, coupons: 9, violations: [] })
    expect(result.readable?.sampled).toBe(3)
  })
})

describe('a rush of 200 for twenty red packets', () => {
  it('credits every claim to its own wallet, and the whole amount to the cent (P1, P2, P3, I2)', async () => {
    const result = await runPacketRush(system, {
      ...calm,
      kind: 'red-packet',
      shoppers: 200,
      stock: 20,
      totalAmount: 777,
    })
    expect(result.verdict).toEqual({
      ...{ claimed: 20, credited: 20, expected: 20, overpaid: 0, lost: 0, stranded: 0, unanswered: 0 },
      money: { total: 777, claimed: 777, credited: 777, left: 0 },
      violations: [],
    })
    expect(answered(result, 'claimed')).toBe(20)
    expect(answered(result, 'sold-out')).toBe(180)
    expect(result.readable?.sampled).toBe(20)
  })
})

describe('a rush of 300 for 30 units of three variants', () => {
  const varied: RushOptions = { ...calm, stock: 30, variants: 3 }

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
    const result = await runRush(system, { ...varied, quantity: 3, variants: 5 })
    expect(result.verdict).toMatchObject({ oversold: 0, lost: 0, stranded: 0, violations: [] })
    expect(result.verdict.sold % 3).toBe(0)
    expect(result.gaveUp).toBe(0)
  })
})
