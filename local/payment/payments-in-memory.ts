/** Payments that end with the process. */
import type { OrderId } from '../../core/ids.ts'
import type { PaymentRecord, PaymentStore } from '../../functions/table/orders/simulated-payments.ts'

export function paymentsInMemory(): PaymentStore {
  const records = new Map<OrderId, PaymentRecord>()
  return {
    read: async (orderId) => records.get(orderId),
    async write(orderId, record) {
      if ((records.get(orderId)?.revision ?? 0) !== record.revision - 1) return false
      records.set(orderId, record)
      return true
    },
  }
}
