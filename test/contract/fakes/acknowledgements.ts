/** What a queue's consumer acknowledges: the outbox that it clears and the gate that it notifies. */
import type { Admitted } from '../../../core/gate/request-report.ts'
import type { SaleId } from '../../../core/ids.ts'
import type { FinalOrder } from '../../../core/orders/order.ts'
import type { AcknowledgePorts } from '../../../functions/lib/acknowledge.ts'

export type MemoryAcknowledgements = Pick<AcknowledgePorts, 'outbox' | 'admissions'> & {
  /** The orders removed from the outbox, in the order of the calls. */
  removed: { saleId: SaleId; ids: readonly FinalOrder[] }[]
  completed: { saleId: SaleId; decided: readonly Admitted[] }[]
}

export function memoryAcknowledgements(): MemoryAcknowledgements {
  const removed: MemoryAcknowledgements['removed'] = []
  const completed: MemoryAcknowledgements['completed'] = []
  return {
    removed,
    completed,
    outbox: { remove: async (saleId, ids) => void removed.push({ saleId, ids }) },
    admissions: { complete: async (saleId, decided) => void completed.push({ saleId, decided }) },
  }
}
