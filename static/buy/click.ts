/**
 * One click of a page, with the client that programs use: a single try, because the shopper repeats it, under a key
 * that is kept until the answer is definite. The cookies of the browser stand in place of tokens.
 */
import { type Attempt, attempt, type Shop } from '../../client/attempt.ts'
import type { Fetch, Unanswered } from '../../client/http.ts'
import { seenHeader } from '../../core/gate/seen-version.ts'
import { call } from '../../web/http.ts'
import { fieldsInText } from '../../web/wire.ts'

/** `online`: false when the device itself has no connection. */
export type ClickPorts = { fetch: Fetch; online: () => boolean }

/** `seen` is what the page has seen of the sale; `challenge` is the solved one, where the sale asks for it (R5). */
export type PageClick = { startToken: string; seen: string; challenge: string | undefined }

/** `offline`: the device has no connection, and nothing was sent. */
export async function clickOnce<Prize>(
  { fetch, online }: ClickPorts,
  seen: string,
  what: Attempt<Prize>,
): Promise<{ kind: 'ok'; prize: Prize } | Unanswered | { kind: 'offline' }> {
  const couldLeave = online()
  const shop: Shop = {
    click: (path, sent) => call(fetch, path, { ...sent, headers: { ...sent.headers, [seenHeader]: seen } }),
    often: (path) => call(fetch, path),
  }
  const tried = await attempt(shop, what)
  return tried.kind === 'lost' && !couldLeave ? { kind: 'offline' } : tried
}

/**
 * The idempotency key of a click. It lives until the click has a definite answer, so a retry after a lost reply, even
 * after a reload, repeats the same key and finds the same reservation (I5). It also outlives the opening: a sale that
 * is rebuilt or resumed meanwhile has another start token and still the shopper's first order.
 */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** `since` is when the first try was sent, epoch ms on the shop's clock; 0 while none could leave the device. */
export type PendingClick = { key: string; since: number }

const nameOf = (saleId: string) => `sluice.pending-click.${saleId}`

/** The click that still waits for a definite answer, if there is one. */
export function pendingClick(store: Store, saleId: string): PendingClick | undefined {
  const { key, since } = fieldsInText(store.getItem(nameOf(saleId))) ?? {}
  return typeof key === 'string' && typeof since === 'number' ? { key, since } : undefined
}

/** Whether an order may have come of the click. */
export const wasSent = (click: PendingClick | undefined): boolean => !!click?.since

export function keepClick(store: Store, saleId: string, click: PendingClick): void {
  store.setItem(nameOf(saleId), JSON.stringify(click))
}

/** Forgets the pending click: its answer is known. */
export function settleClick(store: Store, saleId: string): void {
  store.removeItem(nameOf(saleId))
}

/** One question to the shop at a time, so that no answer overwrites what a later question brought (C7). */
export function oneAtATime() {
  let busy = false
  return {
    busy: () => busy,
    /** Does `work`; undefined when other work is not done yet, and `work` is then not begun. */
    async take<T>(work: () => Promise<T>): Promise<T | undefined> {
      if (busy) return undefined
      busy = true
      try {
        return await work()
      } finally {
        busy = false
      }
    },
  }
}
