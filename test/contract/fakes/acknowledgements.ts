/** What a queue's consumer acknowledges: the outbox that it clears and the gate that it notifies. */
import type { Admitted } from '../../../core/gate/request-report.ts'
import type { SaleId } from '../../../core/ids.ts'
import type { AcknowledgePorts } from '../../../functions/lib/acknowledge.ts'

export type MemoryAcknowledgements<Id> = Pick<AcknowledgePorts<Id>, 'outbox' | 'admissions'> & {
  /** The names removed from the outbox, in the order of the calls. */
  removed: { saleId: SaleId; ids: readonly Id[] }[]
  completed: { saleId: SaleId; decided: readonly Admitted[] }[]
}

export function memoryAcknowledgements<Id>(): MemoryAcknowledgements<Id> {
  const removed: MemoryAcknowledgements<Id>['removed'] = []
  const completed: MemoryAcknowledgements<Id>['completed'] = []
  return {
    removed,
    completed,
    outbox: { remove: async (saleId, ids) => void removed.push({ saleId, ids }) },
    admissions: { complete: async (saleId, decided) => void completed.push({ saleId, decided }) },
  }
}
