/**
 * Returns the units of ended orders to the sale. The table has taken them from the order and keeps
 * the release as due, so `reconcile` finishes what is cut off (O9, G7). Redis comes first, then the
 * gate with as many admissions, then the public pointer: a shopper who learns of the units can buy
 * them.
 */
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/order.ts'
import type { Released } from '../../redis/release.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { type AdmissionPorts, replenish } from '../sales/admissions.ts'
import type { Gate } from '../sales/ports.ts'
import type { Releases } from './order-ledger.ts'

export type ReleasePorts = {
  releases: Releases
  /** Any number of orders. */
  holdings: { release: (saleId: SaleId, orders: readonly FinalOrder[]) => Promise<Released> }
  gate: Pick<Gate, 'publishRestocked'>
  shopfront: { refresh: (saleId: SaleId) => Promise<void> }
} & AdmissionPorts &
  Telemetry

/**
 * Returns the units of `orders`, exactly once; resolves with the number of orders that still held
 * theirs. @throws when Redis, the gate, the site or the table is unavailable
 */
export async function releaseUnits(
  ports: ReleasePorts,
  saleId: SaleId,
  orders: readonly FinalOrder[],
): Promise<number> {
  if (orders.length === 0) return 0
  const { releases, holdings, gate, shopfront, meter } = ports
  const released = await holdings.release(saleId, orders)
  // A sale whose stock was lost has no holds; `recover` puts back only what still stands.
  if (released.kind === 'released') {
    await replenish(ports, saleId)
    await gate.publishRestocked(saleId, released.stockRevision)
    await shopfront.refresh(saleId)
    meter.count('OrdersReleased', released.orders)
  }
  await releases.done(saleId, idsOf(orders))
  return released.kind === 'released' ? released.orders : 0
}

/** The same for a caller whose answer does not depend on it: what fails stays due. */
export async function releaseOrLeaveDue(
  ports: ReleasePorts,
  saleId: SaleId,
  orders: readonly FinalOrder[],
): Promise<void> {
  try {
    await releaseUnits(ports, saleId, orders)
  } catch (error) {
    leaveDue(ports, saleId, orders, error)
  }
}

/** Logs a release that failed or was not waited for. */
export function leaveDue(
  { meter, log }: Telemetry,
  saleId: SaleId,
  orders: readonly FinalOrder[],
  error: unknown,
): void {
  meter.count('ReleaseFailed')
  log.warn('units not yet given back', { saleId, orderIds: idsOf(orders), ...errorFacts(error) })
}

const idsOf = (orders: readonly FinalOrder[]) => orders.map(({ orderId }) => orderId)
