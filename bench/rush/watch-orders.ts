/** Where winners see that their order is written, and the coupons that come with it. */
import { type Line, memberOf, textOf } from './http.ts'
import type { PromisedOrder } from './purchase.ts'
import { type Seen, type Sight, watchWinners } from './watch.ts'

/** An order on its own page. */
export const orderSight: Sight<Pick<PromisedOrder, 'orderId'>> = {
  path: ({ orderId }) => `/api/orders/${orderId}`,
  shows: isWritten,
  nameOf: ({ orderId }) => orderId,
}

/** The same with a code for each unit. */
export const couponSight: Sight<PromisedOrder> = {
  ...orderSight,
  shows: (body, { quantity }) => isWritten(body) && codesIn(body) === quantity,
}

/** Watches orders of which no more than the id is known. */
export function watchOrders(
  line: Line,
  every: number,
  patienceMs: number,
): { won(orderId: string, token: string): void; finish(): Promise<Seen> } {
  const watch = watchWinners(line, orderSight, { every, patienceMs })
  return { won: (orderId, token) => watch.won({ orderId }, token), finish: watch.finish }
}

function isWritten(body: unknown): boolean {
  const status = textOf(body, 'status')
  return status !== undefined && status !== 'reserved'
}

function codesIn(body: unknown): number {
  const coupons = memberOf(body, 'coupons')
  return Array.isArray(coupons) ? new Set(coupons).size : 0
}
