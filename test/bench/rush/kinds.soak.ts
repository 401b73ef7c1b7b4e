/** Small rushes for coupons and red packets through the whole system, to hold what only a crowd can show of them. */
import { describe, expect, it } from 'vitest'
import type { CrowdOptions } from '../../../bench/rush/options.ts'
import { playPacketRush } from '../../../bench/rush/packets/play.ts'
import { playRush } from '../../../bench/rush/play.ts'
import type { CrowdFacts } from '../../../bench/rush/round.ts'
import { openRushedSystem } from './rushed-system.ts'

const system = await openRushedSystem()

const calm: CrowdOptions = {
  shoppers: 200,
  concurrency: 32,
  seed: 1,
  patienceMs: 20_000,
  settleMs: 20_000,
  fault: undefined,
  startStep: () => ({ to: () => {}, end: () => {} }),
}

const answered = ({ answers }: CrowdFacts, code: string) => answers.find((a) => a.code === code)?.count ?? 0

describe('a rush of 60 for ten coupons in threes', () => {
  it('hands out nine codes, none of them twice, and shows the last coupon to everybody (S8, I1, I2)', async () => {
    const result = await playRush(system, {
      ...calm,
      ...{ shoppers: 60, kind: 'coupon', stock: 10, quantity: 3, limitPerShopper: 3 },
    })
    expect(result.verdict).toMatchObject({ sold: 9, coupons: 9, violations: [] })
    expect(result.readable?.sampled).toBe(3)
  })
})

describe('a rush of 200 for twenty red packets', () => {
  it('credits every claim to its own wallet and the whole amount to the cent (P1, P2, P3, I2)', async () => {
    const result = await playPacketRush(system, { ...calm, packets: 20, totalAmount: 777 })
    expect(result.verdict).toEqual({
      ...{ claimed: 20, credited: 20, expected: 20, overpaid: 0, lost: 0, stranded: 0, unanswered: 0 },
      money: { total: 777, claimed: 777, credited: 777, left: 0 },
      violations: [],
    })
    expect(answered(result, 'claimed')).toBe(20)
    expect(answered(result, 'sold-out')).toBe(180)
    expect(result.visible?.sampled).toBe(20)
  })

  it('leaves what nobody came for on the shelf (P1)', async () => {
    const result = await playPacketRush(system, { ...calm, shoppers: 5, packets: 20, totalAmount: 777 })
    const { money } = result.verdict
    expect(result.verdict).toMatchObject({ claimed: 5, credited: 5, violations: [] })
    expect(money.claimed + money.left).toBe(777)
  })
})

describe('a rush for red packets while the queue is down', () => {
  it('credits every claim all the same (O4, O5, P8)', async () => {
    const fault = { target: 'sqs', mode: 'down', forMs: 1500 } as const
    const result = await playPacketRush(system, {
      ...calm,
      ...{ shoppers: 100, packets: 30, totalAmount: 3000, fault },
    })
    expect(result.verdict).toMatchObject({ credited: 30, lost: 0, violations: [] })
  })
})
