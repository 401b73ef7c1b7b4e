/**
 * Releases units to the sale. The table has already taken them from their order and records the release as due, so
 * `reconcile` finishes an interrupted release (O9, G7). Redis comes first, then the admissions of the gate, then the
 * public pointer: a shopper who sees the returned units can buy them.
 */
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/orders/order.ts'
import type { Commander } from '../../redis/command.ts'
import { publishRestocked } from '../../redis/gate/gate.ts'
import { releaseAll } from '../../redis/orders/release.ts'
import { groupByShard, isSplit } from '../../redis/shards.ts'
import { tryEach } from '../lib/retry.ts'
import type { ShopContext, StorePorts } from '../lib/shop/shop.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { replenishAdmissions } from '../sales/admissions.ts'
import { orderIdsOf } from '../table/orders/orders.ts'
import { deleteReleases } from '../table/orders/releases.ts'

/**
 * Releases the units of `orders` and resolves with the number of orders that still held units. An unavailable shard does
 * not stop the release in the others.
 * @throws when Redis, the gate, the shopfront or the table fails
 */
export async function releaseUnits(
  ports: StorePorts & Pick<ShopContext, 'shopfront' | 'meter' | 'log'>,
  saleId: SaleId,
  orders: readonly FinalOrder[],
): Promise<number> {
  if (orders.length === 0) return 0
  let released = 0
  await tryEach(await groupByShard(ports.stock, saleId, orders), async ([shard, some]) => {
    released += await releaseFrom(ports, shard, saleId, some)
  })
  return released
}

async function releaseFrom(
  ports: StorePorts & Pick<ShopContext, 'shopfront' | 'meter' | 'log'>,
  shard: Commander,
  saleId: SaleId,
  orders: readonly FinalOrder[],
): Promise<number> {
  const { table, shopfront, meter } = ports
  const released = await releaseAll(shard, saleId, orders)
  // A lost stock has no holds; `recover` restores only active orders.
  if (released.kind === 'released') {
    await replenishAdmissions(ports, saleId)
    // The tick notifies the gate of a split stock: units may have returned to a shard that was not empty.
    if (!(await isSplit(ports.stock, saleId))) {
      await publishRestocked(ports.gate, saleId, released.stockRevision)
    }
    await shopfront.refresh(saleId, released.orders)
    meter.count('OrdersReleased', released.orders)
  }
  await deleteReleases(table, saleId, orderIdsOf(orders))
  return released.kind === 'released' ? released.orders : 0
}

/** Logs a release that failed or timed out, and stays due. */
export function logReleaseDue(
  { meter, log }: Telemetry,
  saleId: SaleId,
  orders: readonly FinalOrder[],
  error: unknown,
): void {
  meter.count('ReleaseFailed')
  log.warn('units not yet released', { saleId, orderIds: orderIdsOf(orders), ...errorFacts(error) })
}
