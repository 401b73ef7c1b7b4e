/** Reserves for one shopper on behalf of staff, with the same answer that the shopper gets behind the gate. */
import type { PlacedOrder, PlacedOrderResult } from '../../core/api/placed-order.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusals.ts'
import type { Reservation } from '../../redis/buy/reserve.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { reserveWithoutGate } from '../orders/reserve-without-gate.ts'
import type { Actor } from '../sales/audit.ts'
import { addAuditEntry } from '../table/audit.ts'
import { findSale } from '../table/sale/sales.ts'

export type OrderReserved =
  | ({ kind: 'done' } & PlacedOrderResult)
  | { kind: 'no-sale' }
  | ({ kind: 'refused' } & Refusal)

/**
 * Reserves an order. Safe to repeat: the same shopper and key find it. The audit entry is written first: after a crash in
 * between there may be an entry without an order, never an order without an entry.
 * @throws when the table or Redis is unavailable
 */
export async function reserveOrder(
  ports: Pick<ShopContext, 'stock' | 'orderQueue' | 'table' | 'clock' | 'meter' | 'log'>,
  actor: Actor,
  saleId: SaleId,
  { key, ...order }: PlacedOrder,
): Promise<OrderReserved> {
  const sale = (await findSale(ports.table, saleId))?.sale
  if (sale === undefined) return { kind: 'no-sale' }
  if (sale.archivedAt !== undefined) return { kind: 'refused', reason: 'archived' }
  if (sale.kind === 'red-packet') return { kind: 'refused', reason: 'packets-claimed' }
  if (!sale.warmed) return { kind: 'refused', reason: 'not-yet-published' }

  const { requestId } = actor
  const orderId = deriveOrderId(saleId, order.shopperId, key)
  const after = { orderId, units: order.quantity }
  await addAuditEntry(ports.table, { ...actor, what: 'reserve', saleId, when: ports.clock(), before: null, after })
  const reservation = await reserveWithoutGate(ports, sale, { ...order, orderId, requestId })
  if (reservation.kind === 'invitation-required') return { kind: 'refused', reason: 'units-drawn' }
  return { kind: 'done', ...resultOf(reservation) }
}

function resultOf(reservation: Exclude<Reservation, { kind: 'invitation-required' }>): PlacedOrderResult {
  const none = { orderId: null, quantity: 0 }
  const { kind } = reservation
  // The sale changed, or its stock was lost, after the table was read.
  if (kind === 'stale-page' || kind === 'unknown-sale') return { code: 'unavailable', ...none }
  if (kind === 'invalid-request') return { code: kind, field: reservation.field ?? 'quantity', ...none }
  if (kind === 'reserved') return { code: kind, orderId: reservation.message.orderId, quantity: reservation.quantity }
  if (kind === 'repeat') return { code: kind, orderId: reservation.orderId, quantity: reservation.quantity }
  return { code: kind, ...none }
}
