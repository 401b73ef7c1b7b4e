/**
 * The events that the shop's own systems receive. An event is a pure function of the steps of an order or a sale, so a change
 * that is read twice yields the same events with the same ids.
 */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { holdsUnits, type Order, type OrderStep } from '../../../core/orders/order.ts'
import { packetIdOf } from '../../../core/packets/packet.ts'
import type { CreditMail } from '../../../core/people/mail.ts'
import type { eventTypes } from './names.ts'
import type { RecordedSaleStep } from './sale-steps.ts'

type EventType = (typeof eventTypes)[number]

/**
 * An event, also in the table. `subject` is the order or sale that it is about; an endpoint receives the events of a subject
 * in the order of `number`. `id` is the same for every endpoint and every try. `at` is epoch ms.
 */
export const shopEvent = z.object({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  number: z.number(),
  at: z.number(),
  data: z.record(z.string(), z.unknown()),
})
export type ShopEvent = z.infer<typeof shopEvent>

/** An order in the stream, with its whole history. */
export type OrderWithSteps = Pick<
  Order,
  'orderId' | 'orderNumber' | 'saleId' | 'shopperId' | 'quantity' | 'variant' | 'amount' | 'currency'
> & { steps: readonly OrderStep[] }

/** Returns the events of the newest steps of an order: steps of one write have the same time. */
export function orderEvents({ steps, ...order }: OrderWithSteps): ShopEvent[] {
  const { orderId, orderNumber, saleId, shopperId, quantity, variant, amount, currency } = order
  const newest = steps.at(-1)?.at
  return steps.flatMap((step, index) => {
    const before = steps[index - 1]
    const type = step.at === newest ? typeOf(step, before) : undefined
    if (type === undefined) return []
    const revision = index + 1
    const ends = ['order.cancelled', 'order.refunded'].includes(type)
    const returned = ends && losesUnits(step, before) ? quantity : 0
    const data = {
      ...{ orderId, ...(orderNumber && { orderNumber }), saleId, shopperId, quantity },
      ...{ ...(variant && { variant }), amount, currency },
      ...{ status: step.status, revision, ...(ends && { unitsReturned: returned }) },
    }
    return [{ id: `${orderId}_${revision}`, type, subject: orderId, number: revision, at: step.at, data }]
  })
}

const losesUnits = ({ status }: Pick<OrderStep, 'status'>, before: OrderStep | undefined) =>
  before !== undefined && holdsUnits(before.status) && !holdsUnits(status)

function typeOf({ what, status }: OrderStep, before: OrderStep | undefined): EventType | undefined {
  switch (what) {
    case 'written':
      if (status === 'awaiting-payment') return 'order.reserved'
      return status === 'fulfilled' ? 'order.confirmed' : undefined
    case 'confirmed-by-shop':
    case 'payment-succeeded':
      // A payment for an ended order is refunded, and the order stays cancelled.
      return status === 'paid' ? 'order.paid' : undefined
    case 'payment-window-over':
    case 'cancelled-by-shopper':
    case 'refunded-by-marketer':
      // A shipped order keeps its units, and only the money is refunded.
      return losesUnits({ status }, before) ? 'order.cancelled' : undefined
    case 'refund-succeeded':
      return 'order.refunded'
    case 'released-by-shop':
      return status === 'refunded' ? 'order.refunded' : 'order.cancelled'
    case 'refund-settled':
      return status === 'refunded' ? 'order.refunded' : undefined
    case 'shipped':
      // A repeated step with another tracking number is a correction.
      return before?.status === 'shipped' ? undefined : 'order.shipped'
    case 'payment-disputed':
      return 'order.disputed'
    default:
      return undefined
  }
}

const saleTypes = {
  opened: 'sale.opened',
  'sold-out': 'sale.sold-out',
  ended: 'sale.ended',
  'stock-taken': 'stock.taken',
  'stock-returned': 'stock.returned',
} as const satisfies Record<RecordedSaleStep['what'], EventType>

/** Returns the events of the newest steps of a sale, by the same rule. */
export function saleEvents(saleId: SaleId, steps: readonly RecordedSaleStep[]): ShopEvent[] {
  const newest = steps.at(-1)?.at
  return steps.flatMap(({ what, windowIndex, at, quantity, units }, index) => {
    if (at !== newest) return []
    const number = index + 1
    const stock = { ...(quantity !== undefined && { quantity }), ...(units && { units }) }
    const data = { saleId, windowIndex, revision: number, ...stock }
    return [
      {
        id: `sale_${saleId}_${number}`,
        type: saleTypes[what],
        subject: saleSubject(saleId),
        number,
        at,
        data,
      },
    ]
  })
}

/** Returns the event of a credited red packet, which happens once. */
export function creditEvent({ saleId, packet, ...credit }: Omit<CreditMail, 'kind'>, creditedAt: number): ShopEvent {
  const packetId = packetIdOf(saleId, packet)
  const data = { packetId, saleId, ...credit }
  return {
    id: packetId,
    type: 'packet.credited',
    subject: `packet:${packetId}`,
    number: 1,
    at: creditedAt,
    data,
  }
}

/** Returns the subject with a prefix, because the id of a sale may look like that of an order. */
const saleSubject = (saleId: SaleId): string => `sale:${saleId}`

/** Returns the payload by the Standard Webhooks specification. */
export const eventPayload = ({ type, at, data }: Pick<ShopEvent, 'type' | 'at' | 'data'>) => ({
  type,
  timestamp: new Date(at).toISOString(),
  data,
})
