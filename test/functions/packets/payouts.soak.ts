import { describe, expect, it } from 'vitest'
import { providerNames } from '../../../functions/orders/payments/choose.ts'
import { playPayouts } from './payout-play.ts'

describe('a thousand payouts under faults', () => {
  it.each(providerNames)(
    'are each made once by the %s provider, to the cent (N5, I5)',
    async (name) => {
      const { violations, seen } = await playPayouts(name, 1000, 7)
      expect(violations).toEqual([])
      // Four of five, give or take what chance makes of so many.
      expect(seen.paid).toBeGreaterThan(750)
      for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(3)
    },
    1_200_000,
  )
})
