/** Facts of a valid rush, and functions that spoil them. */
import type { RushFacts, WrittenOrder } from '../../../proof/rush/verdict.ts'

export function first<T>(things: readonly T[]): T {
  const [thing] = things
  if (thing === undefined) throw new Error('there is one')
  return thing
}

/** Orders of `quantity` units that sell the whole stock; `more` completes each, as Redis and shoppers know it too. */
export function validRush(
  { stock, shoppers, quantity }: Pick<RushFacts, 'stock' | 'shoppers' | 'quantity'>,
  { status = 'awaiting-payment', more }: Partial<Pick<WrittenOrder, 'status'>> & { more?: (at: number) => object } = {},
): RushFacts {
  const won = Array.from({ length: stock / quantity }, (_, i) => ({
    ...{ orderId: `o${i}`, shopperId: `s${i}`, quantity },
    ...more?.(i),
  }))
  return {
    ...{ stock, shoppers, quantity },
    snapshot: { total: stock, booked: stock, holds: structuredClone(won), outbox: 0 },
    orders: won.map((order) => ({ ...order, status, reservedAt: 0, writtenAt: 5 })),
    answered: won,
    ...{ unseen: [], queued: 0, deadLetters: 0, shownLeft: 0, refusedWithLeft: 0 },
  }
}

/** Changes the facts, what Redis has, or the first order. */
export const facts = (change: object) => (all: object) => Object.assign(all, change)
export const inRedis =
  (change: object) =>
  ({ snapshot }: { snapshot: object }) =>
    Object.assign(snapshot, change)
export const order =
  (change: object) =>
  ({ orders }: { orders: readonly object[] }) =>
    Object.assign(first(orders), change)
