/** Keeps how long the button rests (C7), also across a reload: that ends no rest. */
import type { Store } from '../buy/pending-click.ts'

/**
 * The strictest wait we know: what a tab remembers beyond that is the work of a clock that was set.
 */
const longestMs = 60_000

/** `now` is epoch ms on the device's clock. */
export function restKeeper(store: Pick<Store, 'getItem' | 'setItem'>, saleId: string, now: () => number) {
  const name = `sluice.rest.${saleId}`
  let until = Math.min(Number(store.getItem(name) ?? 0), now() + longestMs)
  return {
    leftMs: () => Math.max(0, until - now()),
    /** Rests so long from now on. */
    take(milliseconds: number): void {
      until = now() + milliseconds
      store.setItem(name, String(until))
    },
  }
}
