/**
 * Acknowledges the orders that a batch wrote: removes their messages from the outbox, and completes their admissions at
 * the gate, with one call each per sale. Both only save work: otherwise the outbox is sent again and the writer drops the
 * duplicates, and an admission expires.
 */
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder, Order } from '../../core/orders/order.ts'
import type { Admitted } from '../../core/orders/order-message.ts'
import { errorFacts, type Telemetry } from './telemetry.ts'

/** Completes the admissions of decided requests. */
export type AdmissionCompleter = { complete: (saleId: SaleId, decided: readonly Admitted[]) => Promise<void> }

/** An order whose message is done. `admitted` is reported to the gate once: undefined for a repeat of the message. */
export type AcknowledgedOrder = Pick<Order, 'saleId' | 'orderId' | 'shopperId'> & { admitted?: Admitted | undefined }

export type AcknowledgePorts = {
  outbox: { remove: (saleId: SaleId, orders: readonly FinalOrder[]) => Promise<void> }
  admissions: AdmissionCompleter
} & Telemetry

/** Never throws. */
export async function acknowledgeBatch(
  { outbox, admissions, meter, log }: AcknowledgePorts,
  done: readonly AcknowledgedOrder[],
): Promise<void> {
  const bySale = [...Map.groupBy(done, ({ saleId }) => saleId)]
  const removals = bySale.map(async ([saleId, some]) => {
    try {
      await outbox.remove(
        saleId,
        some.map(({ orderId, shopperId }) => ({ orderId, shopperId })),
      )
    } catch (error) {
      meter.count('AcknowledgeFailed')
      log.warn('messages stay in the outbox although they are in the table', { saleId, ...errorFacts(error) })
    }
  })
  const reports = bySale.map(async ([saleId, some]) => {
    const decided = some.flatMap(({ admitted }) => admitted ?? [])
    if (decided.length === 0) return
    try {
      await admissions.complete(saleId, decided)
    } catch (error) {
      meter.count('GateUpdateFailed')
      log.warn('gate not notified', { saleId, what: 'admissions completed', ...errorFacts(error) })
    }
  })
  await Promise.all([...removals, ...reports])
}
