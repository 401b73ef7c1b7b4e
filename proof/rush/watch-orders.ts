/** Where winners see that their order is written, and its coupons. */

import type { WonOrder } from './buy.ts'
import { type HttpClient, memberOf, textMember } from './http.ts'
import { type PrizeView, type Seen, watchWinners } from './watch.ts'

/** An order on its own page. */
export const orderView: PrizeView<Pick<WonOrder, 'orderId'>> = {
  path: ({ orderId }) => `/api/orders/${orderId}`,
  shows: isWritten,
  nameOf: ({ orderId }) => orderId,
}

/** The same with a code for each unit. */
export const couponView: PrizeView<WonOrder> = {
  ...orderView,
  shows: (body, { quantity }) => isWritten(body) && codesIn(body) === quantity,
}

/** Watches orders of which only the id is known. */
export function watchOrders(
  client: HttpClient,
  every: number,
  patienceMs: number,
): { won(orderId: string, token: string): void; finish(): Promise<Seen> } {
  const watch = watchWinners(client, orderView, { every, patienceMs })
  return { won: (orderId, token) => watch.won({ orderId }, token), finish: watch.finish }
}

function isWritten(body: unknown): boolean {
  const status = textMember(body, 'status')
  return status !== undefined && status !== 'reserved'
}

function codesIn(body: unknown): number {
  const coupons = memberOf(body, 'coupons')
  return Array.isArray(coupons) ? new Set(coupons).size : 0
}
