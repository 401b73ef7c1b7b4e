import { describe, expect, it } from 'vitest'
import { providerNames } from '../../../functions/orders/payments/choose.ts'
import { playPayouts } from './payout-play.ts'

describe('payouts under faults', () => {
  it.each(providerNames)('are each made once by the %s provider, to the cent (N5, I5)', async (name) => {
    const seed = Math.floor(Math.random() * 1e6)
    const { violations, seen } = await playPayouts(name, 80, seed)
    expect(violations, `seed ${seed}`).toEqual([])
    expect(seen.paid, `seed ${seed}`).toBeGreaterThan(40)
    expect(seen.crashed + seen.lost, `seed ${seed}`).toBeGreaterThan(5)
  })
})
