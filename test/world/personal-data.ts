/** Deliveries and contacts in memory. */

import type { OrderId, ShopperId } from '../../core/ids.ts'
import type { Contact } from '../../core/people/contact.ts'
import type { OrderDelivery } from '../../core/people/delivery.ts'
import type { WorldTable } from './table.ts'

/** `table` also has deliveries that nobody can read. */
export function memoryPersonalData({
  storeDelivery,
  eraseDelivery,
}: Pick<WorldTable, 'storeDelivery' | 'eraseDelivery'>) {
  const stored = new Set<OrderId>()
  const sent = new Map<OrderId, OrderDelivery>()
  const known = new Map<ShopperId, Contact>()
  return {
    sent,
    known,
    /** A delivery of the order is stored. */
    async store(orderId: OrderId): Promise<void> {
      stored.add(orderId)
      await storeDelivery(orderId)
    },
    async erase(orderId: OrderId): Promise<void> {
      stored.delete(orderId)
      await eraseDelivery(orderId)
    },
    deliveries: {
      findMany: async (ids: readonly OrderId[]) => among(sent, ids),
      among: async (ids: readonly OrderId[]) => new Set(ids.filter((id) => sent.has(id) || stored.has(id))),
    },
    contacts: {
      findMany: async (ids: readonly ShopperId[]) => among(known, ids),
      withEmail: async (email: string) =>
        [...known]
          .filter(([, contact]) => contact.email.toLowerCase() === email.toLowerCase())
          .map(([id]) => id),
    },
  }
}

function among<Id, Value>(all: ReadonlyMap<Id, Value>, ids: readonly Id[]): Map<Id, Value> {
  return new Map([...all].filter(([id]) => ids.includes(id)))
}
