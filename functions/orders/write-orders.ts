/**
 * Writes orders from messages, many in one transaction (group commit). SQS may deliver a message
 * twice, late, or beside one that can never succeed; still, an order is written once (O6), the cap
 * of its sale is final (I1), and a bad message fails alone. Order, buyer's total and cap change
 * together or not at all (O3).
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import type { Order } from '../../core/orders/order.ts'
import { type OrderMessage, orderMessage } from '../../core/orders/order-message.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import { isVariantOf } from '../../core/sale/variants.ts'
import { type AcknowledgePorts, acknowledgeBatch, type Done } from '../lib/acknowledge.ts'
import { commitEach, commitGroup, type GroupPorts } from '../lib/group-commit.ts'
import { type DeadLetters, type QueueMessage, rejectToDlq } from '../lib/queue-consumer.ts'
import { within } from '../lib/retry.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { refreshSales } from '../sales/publishing/shopfront.ts'
import type { CommitRefusal, OrderBook } from '../table/orders/order-book.ts'
import { chunksOf, type OrderEntry } from '../table/orders/order-entry.ts'
import { takenBeside } from '../table/stock/cap-item.ts'
import { type Deadlines, setTimers } from './deadlines.ts'
import { type MakeCoupons, newOrder, rejected } from './new-order.ts'
import type { Offer, Offers } from './offers.ts'

export type WriterPorts = ReadPorts &
  CommitPorts &
  Pick<Shop, 'shopfront' | 'clock' | 'meter' | 'log'> &
  AcknowledgePorts & { deadlines: Deadlines }

/**
 * The ids of the messages that must be redelivered; every other message is done. After `deadline`
 * (epoch ms) no transaction begins, and no offer, shopfront or timer is waited for.
 *
 * The shopfront comes last, when the messages have left their outbox: so the batch that empties it
 * publishes the final count.
 */
export async function writeOrders(
  ports: WriterPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const { entries, putAside, comeAgain } = await readMessages(ports, messages, deadline)
  const [unfinished] = await Promise.all([
    writeWithTimers(ports, entries, deadline),
    acknowledgeBatch(
      ports,
      putAside.map(({ saleId, orderId, shopperId }) => ({ saleId, orderId, shopperId })),
    ),
  ])
  await refreshSales(ports, new Set(entries.map(({ order }) => order.saleId)), deadline)
  comeAgain.push(...unfinished.flatMap(({ messageIds }) => messageIds))
  ports.meter.count('MessagesFailed', comeAgain.length)
  return comeAgain
}

/**
 * The entries whose messages must be redelivered. An order without a timer would stay unpaid for
 * ever, so its message is redelivered too, as a duplicate that only sets the timer; for the same
 * reason every duplicate sets one (O8).
 */
async function writeWithTimers(
  ports: WriterPorts,
  entries: readonly OrderEntry[],
  deadline: number,
): Promise<OrderEntry[]> {
  const { failed, unpaid, done } = await writeAll(ports, entries, deadline)
  const timers = unpaid.map(({ order }) => ({ orderId: order.orderId, at: order.cancelAt }))
  const [isSet] = await Promise.all([setTimers(ports, timers, deadline), acknowledgeBatch(ports, done)])
  return isSet ? failed : [...failed, ...unpaid]
}

/**
 * `failed` were not written. `unpaid` may be waiting for payment: the written ones and the
 * duplicates. `done` are in the table.
 */
async function writeAll(
  ports: WriterPorts,
  entries: readonly OrderEntry[],
  deadline: number,
): Promise<{ failed: OrderEntry[]; unpaid: OrderEntry[]; done: Done[] }> {
  const unpaid: OrderEntry[] = []
  const done: Done[] = []
  const failed = await commitEach(
    chunksOf(entries),
    async (chunk) => {
      const committed = await commitChunk(ports, chunk, deadline)
      unpaid.push(...committed.unpaid)
      const writtenNow = new Set(committed.written.map(({ order }) => order.orderId))
      done.push(...chunk.map((entry) => doneOf(entry, writtenNow)))
    },
    (left, error) => {
      const orderIds = left.map(({ order }) => order.orderId)
      ports.log.warn('orders not written', { orderIds, ...errorFacts(error) })
    },
  )
  return { failed, unpaid, done }
}

/** The gate learns of an order from the call that wrote it. */
function doneOf({ order, admitted }: OrderEntry, writtenNow: ReadonlySet<string>): Done {
  const { saleId, orderId, shopperId } = order
  return { saleId, orderId, shopperId, admitted: writtenNow.has(orderId) ? admitted : undefined }
}

export type CommitPorts = { book: OrderBook } & GroupPorts

/**
 * `written`: by this call, in their final form. `unpaid` may be waiting for payment: the written
 * ones and the duplicates.
 */
export type ChunkCommitted = { written: readonly OrderEntry[]; unpaid: readonly OrderEntry[] }

/**
 * Resolves when every entry is in the table. Begins no transaction after `deadline` (epoch ms).
 * @throws TableUnavailable when the messages only need a retry, or what the order book throws
 */
export async function commitChunk(
  ports: CommitPorts,
  chunk: readonly OrderEntry[],
  deadline: number,
): Promise<ChunkCommitted> {
  const { book, meter } = ports
  const group = { write: (some: readonly OrderEntry[]) => book.write(some), withoutRefused }
  const entries = await commitGroup(ports, chunk, group, deadline)
  const refused = entries.map(({ order }) => order).filter(({ status }) => status === 'rejected')
  meter.count('DuplicatesDropped', chunk.length - entries.length)
  meter.count('OrdersWritten', entries.length - refused.length)
  meter.count('OrdersRejected', refused.length)
  for (const order of refused) report(ports, order)
  const refusedIds = new Set(refused.map(({ orderId }) => orderId))
  const unpaid = chunk.filter(({ order }) => order.status === 'awaiting-payment' && !refusedIds.has(order.orderId))
  return { written: entries, unpaid }
}

/**
 * Over the cap: Redis admitted this order after losing others, which an operator must investigate.
 */
function report({ log }: Telemetry, { orderId, saleId, reason }: Order): void {
  const line = reason === 'over-cap' ? log.error : log.warn
  line('order rejected', { orderId, saleId, reason })
}

/**
 * The entries that `commitGroup` tries next, until nothing is refused. Duplicates and limits first: while they are in the chunk they ask for units of the cap that they
 * will not use, so the cap's answer counts only when nothing else was refused.
 */
function withoutRefused(entries: readonly OrderEntry[], refusal: CommitRefusal): readonly OrderEntry[] {
  const { duplicates, overLimit, packetTaken, caps, counters } = refusal
  if (duplicates.size + overLimit.size + packetTaken.size > 0) {
    return entries
      .filter(({ order }) => !duplicates.has(order.orderId))
      .map((entry) => {
        const { order } = entry
        if (packetTaken.has(order.orderId)) return { ...entry, order: rejected(order, 'over-cap') }
        return overLimit.has(order.orderId) ? { ...entry, order: rejected(order, 'over-limit') } : entry
      })
  }
  const left = new Map<string, number>(caps)
  for (const [saleId, counts] of counters) {
    for (const [name, count] of Object.entries(counts)) left.set(counterOf(saleId, name), count)
  }
  const leftIn = (counter: string) => left.get(counter) ?? Number.POSITIVE_INFINITY
  return entries.map((entry) => {
    if (entry.order.status === 'rejected') return entry
    const wanted = countersOf(entry.order)
    if (wanted.some(([counter, units]) => units > leftIn(counter))) {
      return { ...entry, order: rejected(entry.order, 'over-cap') }
    }
    for (const [counter, units] of wanted) left.set(counter, leftIn(counter) - units)
    return entry
  })
}

/** The counters that an order takes from: units of its sale, and what it takes beside them. */
function countersOf(order: Order): [counter: string, count: number][] {
  const { saleId, quantity } = order
  const beside = Object.entries(takenBeside(order))
  return [[saleId, quantity], ...beside.map(([name, count]): [string, number] => [counterOf(saleId, name), count])]
}

const counterOf = (saleId: SaleId, name: string) => `${saleId}/${name}`

type ReadPorts = {
  offers: Offers
  deadLetters: DeadLetters
  makeCoupons: MakeCoupons
  clock: () => number
} & Telemetry

/**
 * `putAside` are messages that are in the dead-letter queue now, except those that cannot be parsed. `comeAgain` are
 * the ids of messages that could not be moved there, or whose sale could not be read in time.
 */
type ReadBatch = { entries: OrderEntry[]; putAside: OrderMessage[]; comeAgain: string[] }

type Made = { ok: true; value: Omit<OrderEntry, 'messageIds'> } | { ok: false; detail: string }

/**
 * Reads the messages one by one, so that an unreadable one fails no neighbour. Messages of one order are merged. Waits for no
 * sale after `deadline` (epoch ms).
 */
async function readMessages(ports: ReadPorts, messages: readonly QueueMessage[], deadline: number): Promise<ReadBatch> {
  const parsed = messages.map((source) => ({ source, message: readJson(orderMessage, source.body) }))
  const saleIds = new Set(parsed.flatMap(({ message }) => (message.ok ? [message.value.saleId] : [])))
  const offers = await lookUp(ports, saleIds, deadline)
  const now = ports.clock()
  const entries = new Map<OrderId, OrderEntry>()
  const batch: ReadBatch = { entries: [], putAside: [], comeAgain: [] }
  const invalid: (() => Promise<void>)[] = []
  for (const { source, message } of parsed) {
    if (message.ok && !offers.has(message.value.saleId)) {
      batch.comeAgain.push(source.messageId)
      continue
    }
    const made = message.ok ? entryOf(ports, message.value, offers.get(message.value.saleId), now) : message
    if (!made.ok) {
      invalid.push(async () => {
        if (!(await rejectToDlq(ports, source, made.detail))) batch.comeAgain.push(source.messageId)
        else if (message.ok) batch.putAside.push(message.value)
      })
      continue
    }
    const { orderId } = made.value.order
    const before = entries.get(orderId)
    // A message that was sent again from the outbox says nothing of its request.
    const admitted = before?.admitted ?? made.value.admitted
    entries.set(orderId, { ...made.value, admitted, messageIds: [...(before?.messageIds ?? []), source.messageId] })
  }
  await Promise.all(invalid.map((putAside) => putAside()))
  return { ...batch, entries: [...entries.values()] }
}

/** The offer of each sale, undefined for an unknown one; sales that could not be read are missing. */
async function lookUp(
  { offers, clock, log }: ReadPorts,
  saleIds: ReadonlySet<SaleId>,
  deadline: number,
): Promise<ReadonlyMap<SaleId, Offer | undefined>> {
  const known = new Map<SaleId, Offer | undefined>()
  const one = async (saleId: SaleId) => {
    try {
      known.set(saleId, await within(deadline - clock(), offers.of(saleId)))
    } catch (error) {
      log.warn('sale not looked up', { saleId, ...errorFacts(error) })
    }
  }
  await Promise.all([...saleIds].map(one))
  return known
}

function entryOf(
  { makeCoupons }: Pick<ReadPorts, 'makeCoupons'>,
  message: OrderMessage,
  offer: Offer | undefined,
  now: number,
): Made {
  const { saleId, quantity } = message
  if (offer === undefined) return { ok: false, detail: `there is no sale ${saleId}` }
  const isRain = offer.kind === 'red-packet'
  if (isRain !== (message.packet !== undefined)) {
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
        order: quantity > limit ? rejected(order, 'over-limit') : order,
        limit,
        capped: offer.stock !== -1,
        budget: isRain ? budgetOf(offer) : undefined,
        admitted: message.admitted,
      },
    }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, detail: error.message }
    throw error
  }
}
