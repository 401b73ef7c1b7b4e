/**
 * `POST /api/control/reservations/{orderId}/confirm` and `/release`: the shop accepted a reservation in its own checkout,
 * and has received the money or returns the units. Both are steps of the order's life. Without a report the order ends
 * when its time to pay is over.
 */
import * as z from 'zod/mini'
import type { AnswerOf } from '../../core/api/operation.ts'
import { reservationApi } from '../../core/api/shop-calls.ts'
import type { OrderId } from '../../core/ids.ts'
import { holdsUnits, isPaid, isPaidInShop, type Order } from '../../core/orders/order.ts'
import { orderMessage } from '../../core/orders/order-message.ts'
import { problem } from '../../core/outcome.ts'
import { type Refusal, refusalText } from '../../core/refusals.ts'
import { type HttpAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { type Call, createApp, on } from '../lib/http/app.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { findSale } from '../table/sale/sales.ts'
import { type ChangeOrderPorts, changeOrder } from './change-orders.ts'
import type { Offers } from './offers.ts'
import { releaseUnits } from './release.ts'
import { reserveWithoutGate } from './reserve-without-gate.ts'
import { forShops } from './shop-auth.ts'
import type { ShopKeyDigests } from './shop-keys.ts'

/** The fields that a replacement order copies. The omitted fields belong to one order alone. */
const requestFields = z.omit(z.object(orderMessage.shape), {
  ...{ orderId: true, packet: true, reservedAt: true, requestId: true, admitted: true },
})

export type ReservationPorts = ChangeOrderPorts & {
  offers: Offers
  orderQueue: Pick<ShopContext['orderQueue'], 'sendAll'>
}

/** A report of a shop. `shop` is the name of its shop key. */
export type ShopReport = { orderId: OrderId; shop: string; requestId: string }

/** `not-written`: the units are reserved and the order is being written; retry. `unavailable`: not known yet; retry. */
export type ReportResult =
  | { kind: 'done'; order: Order }
  | { kind: 'not-written' | 'no-order' | 'unavailable' }
  | ({ kind: 'refused' } & Refusal)

/**
 * Confirms that the shop has the money, under its own `reference`. An order whose time is over is replaced by a new one
 * while units are available. Repeatable.
 * @throws what the ports throw; a repeat loses nothing
 */
export async function confirmOrder(
  ports: ReservationPorts,
  { reference, ...report }: ShopReport & { reference: string },
): Promise<ReportResult> {
  const { orderId, shop } = report
  const confirmed = await changeOrder(ports, orderId, { kind: 'confirmed-by-shop', reference })
  if (confirmed.kind === 'moved') ports.log.info('order confirmed by the shop', { orderId, shop, reference })
  if (confirmed.kind === 'moved' || confirmed.kind === 'same') return { kind: 'done', order: confirmed.order }
  if (confirmed.kind === 'no-order') return { kind: 'no-order' }
  if (confirmed.kind !== 'refused') throw new Error(`${orderId} answered its confirmation with ${confirmed.kind}`)
  const { order } = confirmed
  const isLate = order.status === 'cancelled' && (order.reason === 'unpaid' || order.reason === 'by-shopper')
  if (isLate && isPaidInShop(order)) return confirmLate(ports, order, { ...report, reference })
  return { kind: 'refused', ...confirmationRefusal(order) }
}

function confirmationRefusal(order: Order): Refusal {
  if (!isPaidInShop(order)) return { reason: 'not-in-shop' }
  if (!isPaid(order)) return { reason: 'reservation-released' }
  return { reason: 'confirmed-otherwise', values: { reference: order.payment?.reference ?? '' } }
}

/** A retry may get the units, so the shop must not refund the money. */
const transientRefusals: readonly string[] = ['unavailable', 'stale-page', 'too-many-requests']

/**
 * Reserves units for a new order, like for any other shopper: those of the ended order are for sale again. The id of the
 * new order follows from the id of the ended one, so a repeat finds it.
 */
async function confirmLate(
  ports: ReservationPorts,
  ended: Order,
  report: ShopReport & { reference: string },
): Promise<ReportResult> {
  const { saleId, shopperId } = ended
  const orderId = deriveOrderId(saleId, shopperId, `late ${ended.orderId}`)
  const offer = await ports.offers.find(saleId)
  if (offer === undefined) throw new Error(`${orderId} is of a sale that does not exist`)
  const graceMs = offer.paymentGraceSeconds * 1000
  const started = await changeOrder(ports, orderId, { kind: 'payment-started', graceMs, inShop: true })
  if (started.kind !== 'no-order') {
    const isEnded = 'order' in started && !holdsUnits(started.order.status)
    if (isEnded || started.kind === 'too-late') return { kind: 'refused', reason: 'reservation-over' }
    return confirmOrder(ports, { ...report, orderId })
  }
  // The release of the ended order's units may still be pending; this shopper must not lose the units by that.
  await releaseUnits(ports, saleId, [ended])
  const sale = (await findSale(ports.table, saleId))?.sale
  if (sale === undefined) throw new Error(`${orderId} is of a sale that is gone`)
  const request = { ...requestFields.parse(ended), orderId, requestId: report.requestId }
  const reservation = await reserveWithoutGate(ports, sale, request)
  if (reservation.kind === 'reserved' || reservation.kind === 'repeat') return { kind: 'not-written' }
  // A stock that was lost is being recovered, unless the sale was archived.
  const isLost = reservation.kind === 'unknown-sale' && sale.archivedAt === undefined
  return isLost || transientRefusals.includes(reservation.kind)
    ? { kind: 'unavailable' }
    : { kind: 'refused', reason: 'reservation-over' }
}

/** Ends the order, because the shop returns the units or has refunded the money. Repeatable. @throws what the ports throw */
export async function releaseOrder(ports: ReservationPorts, { orderId, shop }: ShopReport): Promise<ReportResult> {
  const released = await changeOrder(ports, orderId, { kind: 'released-by-shop' })
  if (released.kind === 'moved') ports.log.info('order released by the shop', { orderId, shop })
  if (released.kind === 'moved' || released.kind === 'same') return { kind: 'done', order: released.order }
  if (released.kind === 'no-order') return { kind: 'no-order' }
  if (released.kind !== 'refused') throw new Error(`${orderId} answered its release with ${released.kind}`)
  const { order } = released
  return isPaidInShop(order)
    ? { kind: 'refused', reason: 'order-shipped', values: { status: order.status } }
    : { kind: 'refused', reason: 'not-in-shop' }
}

export type ReservationHttpPorts = ReservationPorts & { shopKeys: ShopKeyDigests }

const routes = [
  on(reservationApi.confirm, async (ports: ReservationHttpPorts, call: Call<typeof reservationApi.confirm, string>) =>
    answer(await confirmOrder(ports, { ...reportOf(call), ...call.body })),
  ),
  on(reservationApi.release, async (ports: ReservationHttpPorts, call: Call<typeof reservationApi.release, string>) =>
    answer(await releaseOrder(ports, reportOf(call))),
  ),
]

/** Answers reports of shops, which their keys identify. */
export const reservationsApp = (ports: ReservationHttpPorts) => createApp(ports, routes, forShops(ports.shopKeys))

const reportOf = ({
  caller: shop,
  params,
  headers,
}: Pick<Call<typeof reservationApi.release, string>, 'caller' | 'params' | 'headers'>) => ({
  ...params,
  shop,
  requestId: headers['x-request-id'] ?? '',
})

function answer(result: ReportResult): AnswerOf<typeof reservationApi.confirm> | HttpAnswer {
  switch (result.kind) {
    case 'done': {
      const { orderId, status, payment } = result.order
      return { orderId, status, ...(payment?.reference !== undefined && { reference: payment.reference }) }
    }
    case 'no-order':
      return problemAnswer(problem('not-found', 'There is no order with this number.'))
    case 'unavailable':
      return unavailable()
    case 'not-written': {
      const detail = 'The units are reserved again, and the order is being written. Ask again in a second.'
      return problemAnswer(problem('conflict', detail, { retryAfterSeconds: 1 }))
    }
    case 'refused': {
      const { kind: _, ...refused } = result
      return problemAnswer(problem('conflict', refusalText(refused), refused))
    }
  }
}
