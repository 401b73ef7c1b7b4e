/** Keeps how long the button rests (C7), also across a reload, which must not end the rest. */
import type { Store } from '../buy/pending-click.ts'

/**
 * The longest wait that the shop asks for, ms. A tab that remembers a longer one had its clock set back.
 */
const longestMs = 60_000

/** `now` is epoch ms on the device's clock. */
export function restKeeper(store: Pick<Store, 'getItem' | 'setItem'>, saleId: string, now: () => number) {
  const name = `sluice.rest.${saleId}`
  let until = Math.min(Number(store.getItem(name) ?? 0), now() + longestMs)
  return {
    leftMs: () => Math.max(0, until - now()),
    /** Begins a rest of `milliseconds`. */
    take(milliseconds: number): void {
      until = now() + milliseconds
      store.setItem(name, String(until))
    },
  }
}
