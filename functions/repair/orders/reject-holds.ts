/** Ends reservations whose message can never be processed (O7): recorded first, then given back. */

import type { OrderId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { HeldOrder } from '../../../redis/orders/holds.ts'
import { rejectedOrder } from '../../orders/new-order.ts'
import { releaseUnits } from '../../orders/release.ts'
import { rejectOrder } from '../../table/orders/change-orders.ts'
import type { RepairPorts } from '../ports.ts'

/**
 * Records each hold as a rejected order unless its order is written, and gives the units back. Resolves with those that
 * were rejected now. The table arbitrates: a message of theirs that still comes finds the record and is a duplicate.
 * @throws when a part is unavailable; a release that was not made stays due
 */
export async function rejectHolds(
  ports: RepairPorts,
  sale: Sale,
  holds: readonly HeldOrder[],
): Promise<readonly OrderId[]> {
  const { saleId } = sale
  const rejected: HeldOrder[] = []
  for (const hold of holds) {
    const order = rejectedOrder({ ...hold, saleId }, sale, 'undeliverable', ports.clock())
    if ((await rejectOrder(ports.table, order)) === 'rejected') rejected.push(hold)
  }
  ports.meter.count('OrdersRejected', rejected.length)
  await releaseUnits(ports, saleId, rejected)
  return rejected.map(({ orderId }) => orderId)
}
