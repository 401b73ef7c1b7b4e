/**
 * Checks whether the list of a sale's orders has caught up with the table: it has as many orders and units as the cap counts,
 * and each listed order, read after the cap, still holds units. The counts alone may agree by chance, when one order is not
 * listed yet and another has ended. An ended order never holds units again, so orders that still do are those that the cap has
 * counted.
 */
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { holdsUnits } from '../../../core/orders/order.ts'
import { findWrittenOrders, orderIdsOf } from '../../table/orders/orders.ts'
import { type ListedOrder, saleTotals } from '../../table/sale/sale-orders.ts'
import type { RepairPorts, Timed } from '../ports.ts'

/** Orders per read, and concurrent reads: ten thousand orders take about a second. */
const ordersPerRead = 1000
const concurrency = 4

/** True when `active` are all orders that hold units; false when time runs out. @throws when the table is unavailable */
export async function isCompleteList(ports: Timed, saleId: SaleId, active: readonly ListedOrder[]): Promise<boolean> {
  const totals = await saleTotals(ports.table, saleId)
  if (totals?.orders !== active.length || totals.sold !== unitsOf(active)) return false
  for (const some of slicesOf(active, ordersPerRead * concurrency)) {
    if (ports.clock() >= ports.deadline) return false
    const found = await Promise.all(slicesOf(some, ordersPerRead).map((page) => activeOrders(ports, page)))
    if (found.flat().length < some.length) return false
  }
  return true
}

/** Returns the `listed` orders that hold units now. */
export async function activeOrders(
  { table }: Pick<RepairPorts, 'table'>,
  listed: readonly ListedOrder[],
): Promise<ListedOrder[]> {
  const found = await findWrittenOrders(table, orderIdsOf(listed))
  return listed.filter(({ orderId }) => {
    const order = found.get(orderId)
    return order !== undefined && holdsUnits(order.status)
  })
}

export function unitsOf(active: readonly ListedOrder[]): number {
  return active.reduce((sum, { quantity }) => sum + quantity, 0)
}
