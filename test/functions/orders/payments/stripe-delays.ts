/** Stripe's client waits half a second or more before its second try; a play with many lost answers does not. */
import Stripe from 'stripe'

/** Returns what restores the waits. */
export function retryAtOnce(): () => void {
  const delays = ['getInitialNetworkRetryDelay', 'getMaxNetworkRetryDelay']
  const former = delays.map((name) => [name, Reflect.get(Stripe.prototype, name)] as const)
  for (const name of delays) Reflect.set(Stripe.prototype, name, () => 0)
  return () => {
    for (const [name, delay] of former) Reflect.set(Stripe.prototype, name, delay)
  }
}
