/** For tests with many lost answers of Stripe. */
import Stripe from 'stripe'
import { vi } from 'vitest'

/** Stripe's own client waits half a second before it repeats a call; until `vi.restoreAllMocks` it does not. */
export function repeatAtOnce(): void {
  vi.spyOn(Stripe.prototype, 'getInitialNetworkRetryDelay').mockReturnValue(0)
}
