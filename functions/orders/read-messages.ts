/** Reads order messages one by one. Dead-letters an unreadable message without failing the others. */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { type OrderMessage, orderMessage } from '../../core/orders/order-message.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import { isVariantOf } from '../../core/sale/variants.ts'
import { type DeadLetters, type QueueMessage, rejectToDlq } from '../lib/queue-consumer.ts'
import { within } from '../lib/retry.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import type { OrderEntry } from '../table/orders/order-entry.ts'
import { type MakeCoupons, newOrder, toRejected } from './new-order.ts'
import type { Offer, Offers } from './offers.ts'

export type ReadPorts = {
  offers: Offers
  deadLetters: DeadLetters
  makeCoupons: MakeCoupons
  clock: () => number
} & Telemetry

/**
 * `deadLettered` contains the messages that were moved to the dead-letter queue, except those that cannot be parsed.
 * `redeliver` contains the ids of messages that could not be moved, or whose sale could not be read in time.
 */
type ReadBatch = { entries: OrderEntry[]; deadLettered: OrderMessage[]; redeliver: string[] }

/** Reads the messages and merges messages of one order. Waits for no sale after `deadline` (epoch ms). */
export async function readMessages(
  ports: ReadPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<ReadBatch> {
  const parsed = messages.map((source) => ({ source, message: readJson(orderMessage, source.body) }))
  const saleIds = new Set(parsed.flatMap(({ message }) => (message.ok ? [message.value.saleId] : [])))
  const offers = await findOffers(ports, saleIds, deadline)
  const now = ports.clock()
  const entries = new Map<OrderId, OrderEntry>()
  const batch: ReadBatch = { entries: [], deadLettered: [], redeliver: [] }
  const invalid: (() => Promise<void>)[] = []
  for (const { source, message } of parsed) {
    if (message.ok && !offers.has(message.value.saleId)) {
      batch.redeliver.push(source.messageId)
      continue
    }
    const made = message.ok ? toEntry(ports, message.value, offers.get(message.value.saleId), now) : message
    if (!made.ok) {
      invalid.push(async () => {
        if (!(await rejectToDlq(ports, source, made.detail))) batch.redeliver.push(source.messageId)
        else if (message.ok) batch.deadLettered.push(message.value)
      })
      continue
    }
    const { orderId } = made.value.order
    const before = entries.get(orderId)
    // A message that was resent from the outbox has no admission.
    const admitted = before?.admitted ?? made.value.admitted
    entries.set(orderId, { ...made.value, admitted, messageIds: [...(before?.messageIds ?? []), source.messageId] })
  }
  await Promise.all(invalid.map((deadLettered) => deadLettered()))
  return { ...batch, entries: [...entries.values()] }
}

/** Resolves with the offer of each sale, undefined for an unknown one. Sales that could not be read are missing. */
async function findOffers(
  { offers, clock, log }: ReadPorts,
  saleIds: ReadonlySet<SaleId>,
  deadline: number,
): Promise<ReadonlyMap<SaleId, Offer | undefined>> {
  const known = new Map<SaleId, Offer | undefined>()
  const one = async (saleId: SaleId) => {
    try {
      known.set(saleId, await within(deadline - clock(), offers.find(saleId)))
    } catch (error) {
      log.warn('sale not read', { saleId, ...errorFacts(error) })
    }
  }
  await Promise.all([...saleIds].map(one))
  return known
}

function toEntry(
  { makeCoupons }: Pick<ReadPorts, 'makeCoupons'>,
  message: OrderMessage,
  offer: Offer | undefined,
  now: number,
): { ok: true; value: Omit<OrderEntry, 'messageIds'> } | { ok: false; detail: string } {
  const { saleId, quantity } = message
  if (offer === undefined) return { ok: false, detail: `there is no sale ${saleId}` }
  const isRedPacket = offer.kind === 'red-packet'
  if (isRedPacket !== (message.packet !== undefined)) {
    return { ok: false, detail: `a red packet is missing, or ${saleId} has none` }
  }
  if (!isVariantOf(offer.variants, message.variant)) {
    return { ok: false, detail: `the units are not of a variant of ${saleId}` }
  }
  try {
    const order = newOrder(message, offer, now, makeCoupons)
    const limit = offer.limitPerShopper
    return {
      ok: true,
      value: {
        order: quantity > limit ? toRejected(order, 'over-limit') : order,
        limit,
        capped: offer.stock !== -1,
        budget: isRedPacket ? budgetOf(offer) : undefined,
        admitted: message.admitted,
      },
    }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, detail: error.message }
    throw error
  }
}
