/**
 * Gives units back to the sale: the table has taken them from their order already and keeps the release as due, so
 * every step here may be cut off and is made good by `reconcile` (O9, G7). Redis first, then the gate, then the
 * public pointer: whoever hears that units are back can have them.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { errorFacts, type Telemetry } from '../telemetry.ts'
import type { Releases } from './order-ledger.ts'

/** `restocks` is the stock's revision afterwards; `orders` counts the holds that were really removed. */
export type Released = { kind: 'released'; orders: number; restocks: number } | { kind: 'unknown-sale' }

export type ReleasePorts = {
  releases: Releases
  /** Any number of orders. */
  holdings: { release: (saleId: SaleId, orderIds: readonly OrderId[]) => Promise<Released> }
  gate: { raiseRestocked: (saleId: SaleId, restocks: number) => Promise<void> }
  shopfront: { refresh: (saleId: SaleId) => Promise<void> }
} & Telemetry

/**
 * Gives back the units of `orderIds`; resolves with the number of orders that still held theirs. Throws when Redis,
 * the gate, the shopfront or the table cannot be told.
 */
export async function releaseUnits(
  { releases, holdings, gate, shopfront, meter }: ReleasePorts,
  saleId: SaleId,
  orderIds: readonly OrderId[],
): Promise<number> {
  if (orderIds.length === 0) return 0
  const released = await holdings.release(saleId, orderIds)
  // A sale whose stock was lost has no holds; `recover` puts back only what still stands.
  if (released.kind === 'released') {
    await gate.raiseRestocked(saleId, released.restocks)
    await shopfront.refresh(saleId)
    meter.count('OrdersReleased', released.orders)
  }
  await releases.done(saleId, orderIds)
  return released.kind === 'released' ? released.orders : 0
}

/** The same for a caller whose answer does not depend on it: what fails stays due. */
export async function releaseOrLeaveDue(
  ports: ReleasePorts,
  saleId: SaleId,
  orderIds: readonly OrderId[],
): Promise<void> {
  try {
    await releaseUnits(ports, saleId, orderIds)
  } catch (error) {
    ports.meter.count('ReleaseFailed')
    ports.log.warn('units not yet given back', { saleId, orderIds, ...errorFacts(error) })
  }
}
