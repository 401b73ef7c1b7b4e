/**
 * Reserves for many shoppers in one call: a box office, or an import. Each line gets the answer that the
 * shopper's own request would get now, once past the gate.
 */

import type { OrderLine, ReservedLine } from '../../core/api/order-lines.ts'
import type { SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { Refusal } from '../../core/refusals.ts'
import type { Reservation } from '../../redis/buy/reserve.ts'
import { reserveMany } from '../../redis/buy/reserve-many.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { Actor } from '../sales/audit.ts'
import { addAuditEntry } from '../table/audit.ts'
import { findSale } from '../table/sale/sales.ts'

export type OrdersReserved =
  | { kind: 'done'; lines: readonly ReservedLine[] }
  | { kind: 'no-sale' }
  | ({ kind: 'refused' } & Refusal)

/**
 * The answer to each of `lines` in their order. Safe to repeat: a line with the same shopper and key
 * finds its order. The audit entry comes first: a crash in between leaves an audit entry without orders,
 * never an order without an audit entry.
 * @throws when the table is unavailable; when Redis is unavailable, the lines say so
 */
export async function reserveOrders(
  ports: Pick<Shop, 'stock' | 'orderQueue' | 'table' | 'clock' | 'meter' | 'log'>,
  actor: Actor,
  saleId: SaleId,
  lines: readonly OrderLine[],
): Promise<OrdersReserved> {
  const sale = (await findSale(ports.table, saleId))?.sale
  if (sale === undefined) return { kind: 'no-sale' }
  if (sale.archivedAt !== undefined) return { kind: 'refused', reason: 'archived' }
  if (sale.kind === 'red-packet') return { kind: 'refused', reason: 'packets-claimed' }
  if (!sale.warmed) return { kind: 'refused', reason: 'not-yet-published' }

  const now = ports.clock()
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const after = { lines: lines.length, units }
  await addAuditEntry(ports.table, { ...actor, what: 'reserve', saleId, when: now, before: null, after })
  const purchases = lines.map(({ shopperId, quantity, basket, currency, key }) => ({
    orderId: deriveOrderId(saleId, shopperId, key),
    ...{ saleId, shopperId, quantity, now, requestId: actor.requestId },
    ...{ basket, currency },
    startToken: sale.startToken ?? '',
  }))
  const reservations = await reserveMany(ports.stock, purchases)
  const messages = reservations.flatMap((one) => (one instanceof Error || one.kind !== 'reserved' ? [] : [one.message]))
  await dispatchAll(ports, saleId, messages)
  const answered = lines.map(({ shopperId, key }, at): ReservedLine => {
    const answer = answerOf(reservations[at])
    const orderId = purchases[at]?.orderId
    const isOrdered = answer.code === 'reserved' || answer.code === 'repeat'
    return { shopperId, key, ...answer, orderId: isOrdered && orderId !== undefined ? orderId : null }
  })
  return { kind: 'done', lines: answered }
}

/** What does not reach the queue stays in the outbox, from which `reconcile` sends it. */
async function dispatchAll(
  { orderQueue, meter, log }: Pick<Shop, 'orderQueue' | 'meter' | 'log'>,
  saleId: SaleId,
  messages: readonly OrderMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const errors = await orderQueue.sendAll(messages).catch((error: unknown) => messages.map(() => error))
  const left = errors.filter((error) => error !== undefined).length
  if (left === 0) return
  meter.count('SendFailed')
  log.warn('messages left in the outbox', { saleId, left })
}

function answerOf(reservation: Reservation | Error | undefined): Pick<ReservedLine, 'code' | 'field' | 'quantity'> {
  if (reservation === undefined || reservation instanceof Error) return { code: 'unavailable', quantity: 0 }
  const { kind } = reservation
  // The sale changed, or its stock was lost, since the table was read.
  if (kind === 'stale-page' || kind === 'unknown-sale') return { code: 'unavailable', quantity: 0 }
  if (kind === 'invalid-request') return { code: kind, field: reservation.field ?? 'quantity', quantity: 0 }
  return { code: kind, quantity: 'quantity' in reservation ? reservation.quantity : 0 }
}
