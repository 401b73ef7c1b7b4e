/**
 * Units that a recovery holds back. When Redis loses a sale, messages of its reservations may still be in flight to the
 * table. Their exact number is unknown, because all sales share one queue and SQS counts approximately, but it has an
 * upper bound. When the sale is unfrozen, that many units are booked without a hold: the sale sells the others at once,
 * and each message that arrives finds its units.
 *
 *   bound     The gate's store, another Redis, counts the units that were booked, and the admissions
 *             without a known outcome, each of which may have booked an order of the largest size.
 *             The bound is their sum minus the units of written orders, or every unsold unit when
 *             that store may have lost a count.
 *   arrival   An order from before the reopening without a hold takes its hold from the held-back
 *             units (holds.ts, restore.lua).
 *   end       Once no message from before the reopening can exist any more, all of them are written
 *             or dead letters. Units of dead letters stay held back, and the rest is sold.
 *
 * See recover-packets.ts for which red packets are held back and how orders find theirs.
 */
import { type OrderId, type SaleId, saleOfOrder } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { orderMessage } from '../../../core/orders/order-message.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { sumByVariant, type VariantUnits } from '../../../core/sale/variants.ts'
import type { Commander } from '../../../redis/command.ts'
import { publishRestocked } from '../../../redis/gate/gate.ts'
import { readAdmissions } from '../../../redis/gate/replenish.ts'
import { groupByShard, isSplit } from '../../../redis/shards.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { holdsBack, readHold, readShard, type StockFacts } from '../../../redis/stock/stock.ts'
import { type BeforeRedrive, type DeadUnits, messagesIn } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { replenishAdmissions } from '../../sales/admissions.ts'
import { findWrittenOrders, orderIdsOf } from '../../table/orders/orders.ts'
import { recordRedrive, saleTotals } from '../../table/sale/sale-orders.ts'
import type { RepairPorts } from '../ports.ts'

/**
 * Returns an upper bound of units reserved beyond the `accounted` ones of a lost stock.
 * @throws when the gate is unavailable
 */
export async function maxUnaccounted(
  { gate }: { gate: Commander },
  { saleId, stock, maxPerOrder }: Pick<Sale, 'saleId' | 'stock' | 'maxPerOrder'>,
  accounted: number,
): Promise<number> {
  if (stock === -1) return 0
  const unsold = Math.max(0, stock - accounted)
  const admissions = await readAdmissions(gate, saleId)
  if (admissions === undefined || !admissions.isComplete) return unsold
  const booked = admissions.booked + admissions.out * maxPerOrder
  return Math.min(unsold, Math.max(0, booked - accounted))
}

/**
 * After this time, ms, a sent message is written or a dead letter: ten receives of 61 s each, the run of a function that still
 * sends it, and two minutes more. It assumes that the queue's consumer runs.
 */
export const deliveryMs = 900_000

/**
 * SQS counts become exact within about a minute
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html). A queue
 * that was empty at every check for longer than that has no earlier message.
 */
export const emptyQueueMs = 90_000

/** The units of dead letters, which stay held back, those of each variant, and the numbers of red packets. */
type DeadOfSale = { units: number; ofVariants: VariantUnits; packets: ReadonlySet<number> }

/**
 * `heldBack` units were held back at the reopening at `since`, and as many of each variant (`hasVariants`); `quietSince` is as
 * in `StockFacts`. `dead` are the dead letters once no other earlier message can exist, undefined until then.
 */
export type HeldBackStatus = {
  since: number
  heldBack: number
  hasVariants: boolean
  quietSince: number | undefined
  dead: DeadOfSale | undefined
}

/**
 * Returns the status of the units that a shard holds back, undefined when there are none. It looks for messages, so a later
 * read of the table contains everything whose message can no longer arrive.
 * @throws when Redis or the table is unavailable
 */
export async function readHeldBackStatus(
  ports: RepairPorts,
  shard: Commander,
  saleId: SaleId,
): Promise<HeldBackStatus | undefined> {
  const { table, clock, log } = ports
  const stock = await readShard(shard, saleId)
  if (stock === undefined || stock.frozen || !holdsBack(stock)) return undefined
  const { heldBack, heldSince: since } = stock
  const hasVariants = stock.variants !== undefined
  const quietSince = await quietSinceOf(ports, stock)
  const now = clock()
  // A redrive is recorded before the message leaves the dead-letter queue, so read that queue first.
  const dead = await findDeadUnits(ports, shard, saleId).catch((error) => {
    log.warn('the dead letters do not answer; held-back units wait', errorFacts(error))
    return undefined
  })
  const redrivenAt = (await saleTotals(table, saleId))?.redrivenAt ?? 0
  const isQuiet = quietSince !== undefined && now - quietSince >= emptyQueueMs
  const isOld = now - Math.max(since, redrivenAt) >= deliveryMs
  return { since, heldBack, hasVariants, quietSince, dead: isQuiet || isOld ? dead : undefined }
}

async function quietSinceOf(
  { orderQueue, clock, log }: RepairPorts,
  { quietSince, heldSince }: StockFacts,
): Promise<number | undefined> {
  try {
    const now = clock()
    const isEmpty = messagesIn(await orderQueue.depth()) === 0
    return isEmpty ? Math.max(quietSince ?? now, heldSince) : undefined
  } catch (error) {
    log.warn('the queue does not answer; held-back units wait', errorFacts(error))
    return undefined
  }
}

/** Releases units that need not be held back any more; resolves with their number. @throws when a part is unavailable */
export async function sellHeldBack(
  ports: RepairPorts,
  shard: Commander,
  { saleId }: Sale,
  { since, heldBack, hasVariants, quietSince, dead }: HeldBackStatus,
): Promise<number> {
  const keepOf = hasVariants && dead !== undefined ? { keepOf: dead.ofVariants } : {}
  const keep = dead?.units ?? heldBack
  const isFinal = dead !== undefined
  const done = await releaseHeldBack(shard, saleId, { since, keep, quietSince, isFinal, ...keepOf })
  if (done.kind !== 'released' || done.units === 0) return 0
  await publishReturnedUnits(ports, saleId, done)
  return done.units
}

/** Publishes to the gate and the shop's pages that units are for sale again. @throws when a part is unavailable */
export async function publishReturnedUnits(
  ports: RepairPorts,
  saleId: SaleId,
  { units, stockRevision }: { units: number; stockRevision: number },
): Promise<void> {
  const { shopfront, log } = ports
  await replenishAdmissions(ports, saleId)
  // The tick publishes a split stock to the gate.
  if (!(await isSplit(ports.stock, saleId))) await publishRestocked(ports.gate, saleId, stockRevision)
  await shopfront.refresh(saleId)
  log.info('units for sale that were held back', { saleId, units })
}

/** Returns the units of a shard's dead letters that have neither order nor hold; undefined when not all could be read. */
async function findDeadUnits(
  { stock, deadOrders, table }: RepairPorts,
  shard: Commander,
  saleId: SaleId,
): Promise<DeadOfSale | undefined> {
  const dead = await deadOrders.units()
  if (dead === undefined) return undefined
  const letters = [...dead]
    .filter(([orderId]) => saleOfOrder(orderId) === saleId)
    .map(([orderId, units]) => ({ orderId, ...units }))
  const ours = (await groupByShard(stock, saleId, letters)).get(shard) ?? []
  const written = await findWrittenOrders(table, orderIdsOf(ours))
  const missing: DeadUnits[] = []
  for (const letter of ours) {
    const { orderId, shopperId, packet } = letter
    if (written.has(orderId)) continue
    const hold = await readHold(shard, orderId, shopperId)
    // A shopper who claimed twice may hold another red packet under the same order id.
    if (hold === undefined || hold.packet?.number !== packet?.number) missing.push(letter)
  }
  return {
    units: missing.reduce((units, { quantity }) => units + quantity, 0),
    ofVariants: sumByVariant(missing),
    packets: new Set(missing.flatMap(({ packet }) => packet?.number ?? [])),
  }
}

/** Returns a hook that records the redrive of each sale, so that units stay held back until its messages have arrived. */
export function redriveRecorder({ table, clock }: RepairPorts): BeforeRedrive {
  return async (saleIds) => {
    await Promise.all([...saleIds].map((saleId) => recordRedrive(table, saleId, clock())))
  }
}

/** Parses dead letters, `bodies` of JSON. Skips one that is no order message, or whose sale is not that of its order. */
export function deadUnitsByOrder(bodies: readonly string[]): ReadonlyMap<OrderId, DeadUnits> {
  const units = new Map<OrderId, DeadUnits>()
  for (const body of bodies) {
    const message = readJson(orderMessage, body)
    if (!message.ok) continue
    const { orderId, saleId, shopperId, quantity, variant, packet } = message.value
    if (saleOfOrder(orderId) === saleId)
      units.set(orderId, { shopperId, quantity, ...(variant && { variant }), ...(packet && { packet }) })
  }
  return units
}
