/**
 * Sends one click of a page with the published client. The page does not retry: the shopper clicks again, and the page keeps
 * the key until the answer is definite. Cookies replace the tokens.
 */

import type { FailedReply, Fetch } from '../../client/http.ts'
import { type PurchaseRequest, requestPurchase, type ShopClient } from '../../client/request-purchase.ts'
import { seenHeader } from '../../core/gate/seen-version.ts'
import { call } from '../../web/http.ts'
import { fieldsInText } from '../../web/wire.ts'

/** `online`: false when the device itself has no connection. */
export type ClickPorts = { fetch: Fetch; online: () => boolean }

/** `seen` is the newest pointer that the page has read. `challenge` is the solved one, if the sale requires it (R5). */
export type PageClick = { startToken: string; seen: string; challenge: string | undefined }

/** Sends a click once. `offline`: the device is offline, and nothing was sent. */
export async function clickOnce<Result>(
  { fetch, online }: ClickPorts,
  seen: string,
  what: PurchaseRequest<Result>,
): Promise<{ kind: 'ok'; result: Result } | FailedReply | { kind: 'offline' }> {
  const couldLeave = online()
  const shop: ShopClient = {
    click: (path, sent) => call(fetch, path, { ...sent, headers: { ...sent.headers, [seenHeader]: seen } }),
    withRetries: (path) => call(fetch, path),
  }
  const tried = await requestPurchase(shop, what)
  return tried.kind === 'lost' && !couldLeave ? { kind: 'offline' } : tried
}

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The idempotency key of a click is kept until its answer is definite, so that a retry, even after a reload, finds the same
 * reservation (I5). It also outlives the epoch of the sale. `since` is the time of the first request, epoch ms on the shop's
 * clock; 0 while none was sent.
 */
export type PendingClick = { key: string; since: number }

const nameOf = (saleId: string) => `sluice.pending-click.${saleId}`

/** Returns the click without a definite answer, if there is one. */
export function pendingClick(store: Store, saleId: string): PendingClick | undefined {
  const { key, since } = fieldsInText(store.getItem(nameOf(saleId))) ?? {}
  return typeof key === 'string' && typeof since === 'number' ? { key, since } : undefined
}

/** True when the click may have become an order. */
export const wasSent = (click: PendingClick | undefined): boolean => !!click?.since

export function savePendingClick(store: Store, saleId: string, click: PendingClick): void {
  store.setItem(nameOf(saleId), JSON.stringify(click))
}

/** Removes the pending click, whose answer is known. */
export function removePendingClick(store: Store, saleId: string): void {
  store.removeItem(nameOf(saleId))
}

/** Allows one request at a time, so that no late answer overwrites a newer one (C7). */
export function requestLock() {
  let busy = false
  return {
    busy: () => busy,
    /** Runs `work`. Returns undefined, without running it, while other work is in progress. */
    async run<T>(work: () => Promise<T>): Promise<T | undefined> {
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
