/**
 * The idempotency key of a click. It lives until the click has a definite answer, so a retry after
 * a lost reply, even after a reload, repeats the same key and finds the same reservation (I5). It
 * also outlives the opening: a sale that is rebuilt or resumed meanwhile has another start token
 * and still the shopper's first order.
 */
import { fieldsInText } from '../lib/wire.ts'

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** `since` is when the first try was sent, epoch ms on the shop's clock. */
export type PendingClick = { key: string; since: number }

const nameOf = (saleId: string) => `sluice.pending-click.${saleId}`

/** The click that still waits for a definite answer, if there is one. */
export function pendingClick(store: Store, saleId: string): PendingClick | undefined {
  const { key, since } = fieldsInText(store.getItem(nameOf(saleId))) ?? {}
  return typeof key === 'string' && typeof since === 'number' ? { key, since } : undefined
}

/** Keeps the click until its answer is known. */
export function keepClick(store: Store, saleId: string, click: PendingClick): void {
  store.setItem(nameOf(saleId), JSON.stringify(click))
}

/** Forgets the pending click: its answer is known. */
export function settleClick(store: Store, saleId: string): void {
  store.removeItem(nameOf(saleId))
}
