/** Reads a sale at rest for the invariants: the table in memory, Redis without faults, and the recorded answers. */
import { isDeepStrictEqual } from 'node:util'
import { orderQuarters, parseOrderId, type SaleId, saleOfOrder } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import { packetIdOf } from '../../../core/packets/packet.ts'
import { allPackets } from '../../../core/packets/packets.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { allUnits } from '../../../core/sale/variants.ts'
import { packetsUpTo } from '../../../functions/sales/load-packets.ts'
import { packetAmounts } from '../../../functions/sales/packet-split.ts'
import { reportedOrder } from '../../../functions/table/orders/reported-order.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { reportedOrderRows } from '../../../functions/table/sale/sale-rows.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { readShards } from '../../../redis/stock/stock.ts'
import type { AnsweredPacket, ObservedSale, PacketSnapshot, RedisUnits } from '../../invariants/snapshot.ts'
import { readPacketSnapshot } from '../../packets-in-redis.ts'
import { readCounts, withPool } from '../../stock-counts.ts'
import { claimNamesOf } from '../claim-names.ts'
import { claimName, type RecordedClaim } from '../packet-record.ts'
import type { World } from '../world.ts'
import { packetsInWallets } from './credits.ts'
import { shownOnPage } from './shown.ts'

export async function takeSnapshot(world: World): Promise<ObservedSale> {
  const { truth, saleId, provider, reservations, shoppers, violated } = world
  const sale = await world.sale()
  if (sale.kind === 'red-packet') {
    const packets = await packetsOf(world, sale)
    return { sale, orders: [], ...(packets !== undefined && { packets }) }
  }
  const redis = await redisUnits(world)
  const totals = await saleTotals(truth.table, saleId)
  if (redis === undefined || totals === undefined) violated('the stock of the sale is missing (I4)')
  const buyers = new Map(shoppers.map((shopperId) => [shopperId, truth.bought(saleId, shopperId)]))
  const shown = shownOnPage(world)
  const orders = truth.orders(saleId)
  await compareWithReport(world, orders)
  return {
    sale,
    orders,
    answered: reservations.answered(),
    ...(redis && { redis }),
    ...(totals && { table: { ...totals, variants: totals.variants ?? {}, buyers } }),
    shown: { left: shown?.remaining, variants: shown?.variants },
    payments: provider.accounts().filter(({ orderId }) => isOf(saleId, orderId)),
  }
}

/** Checks that a report, which reads the index of orders quarter by quarter, has the same orders. */
async function compareWithReport({ truth, saleId, violated }: World, orders: readonly Order[]): Promise<void> {
  const known = new Map(orders.map((order) => [order.orderId, reportedOrder(order)]))
  let read = 0
  for (const quarter of orderQuarters) {
    for await (const page of reportedOrderRows(truth.table, saleId, undefined, quarter)) {
      read += page.length
      const wrong = page.find((row) => !isDeepStrictEqual(row, known.get(row.orderId)))
      if (wrong !== undefined) violated(`a report has another ${wrong.orderId} than the table (I4)`)
    }
  }
  if (read !== orders.length) violated('a report does not have the orders of the table (I4)')
}

/** True when the payment belongs to the sale; a payment without an order counts for each. */
function isOf(saleId: SaleId, text: string): boolean {
  const orderId = parseOrderId(text)
  return orderId === undefined || saleOfOrder(orderId) === saleId
}

async function redisUnits({ stocks, saleId, truth }: World): Promise<RedisUnits | undefined> {
  const counts = await readCounts(stocks, saleId)
  if (counts === undefined) return undefined
  const escrow = await findEscrow(truth.table, saleId)
  const shards = escrow === undefined ? [] : await readShards(stocks, saleId)
  return {
    ...withPool(counts, escrow?.pool),
    shards: shards.flatMap((facts, at) => {
      const granted = escrow?.shards[at]?.granted
      if (granted === undefined || facts instanceof Error) return []
      return [{ total: facts?.total ?? 0, granted: allUnits(granted) }]
    }),
  }
}

/** Not used: a sale at rest has its seed. */
const noSeed = (length: number) => new Uint8Array(length)

async function packetsOf(world: World, sale: Sale): Promise<PacketSnapshot | undefined> {
  const { truth, redis, saleId, shoppers, simulation, violated } = world
  const table = await packetsInWallets(truth, sale, shoppers)
  const inRedis = await readPacketSnapshot({ ...redis, shardCount: async () => 1 }, saleId)
  if (table === undefined || inRedis === undefined) return void violated('the packets of the sale are missing (I4)')
  const amounts = await packetAmounts({ table: truth.table, randomBytes: noSeed }, sale)
  return {
    count: sale.stock,
    loaded: packetsUpTo(sale),
    totalAmount: allPackets(sale).totalAmount,
    redis: { ...inRedis, isCleared: hasEnded(sale, simulation.now()) },
    table,
    amounts: new Map([...amounts].map((amount, packet) => [packetIdOf(saleId, packet), amount])),
    answered: answeredClaims(world, table.credits),
  }
}

/**
 * Returns the answered claims. A shopper whose claim was answered must have that packet (I2), with three exceptions
 * after a data loss of Redis: the claim was recorded nowhere else; the table rejected it in favour of another claim; or
 * the shopper claimed twice under one order id, and the table kept the packet whose message arrived first.
 */
function answeredClaims(
  { packets, saleId, truth }: World,
  credits: PacketSnapshot['table']['credits'],
): AnsweredPacket[] {
  const owners = new Map(credits.map((credit) => [credit.packetId, credit]))
  const credited = new Map(credits.map((credit) => [credit.shopperId, credit]))
  const rejected = truth.orders(saleId).filter(({ status }) => status === 'rejected')
  const refused = new Set(claimNamesOf(rejected))
  const refusedShoppers = new Set(rejected.map(({ shopperId }) => shopperId))
  const isExcused = (credit: (typeof credits)[number] | undefined) =>
    credit !== undefined && packets.excused.has(`${credit.shopperId} ${credit.packetId.slice(`${saleId}-p`.length)}`)

  const mayBeMissing = (claim: RecordedClaim): boolean => {
    if (packets.excused.has(claimName(claim))) return true
    const other = credited.get(claim.shopperId)
    const isRefused = refused.has(claimName(claim))
    if (claim.certainty === 'firm' && !packets.overwritable.has(claimName(claim)))
      return isRefused && (isExcused(owners.get(packetIdOf(saleId, claim.packet))) || isExcused(other))
    return refusedShoppers.has(claim.shopperId) || other !== undefined
  }

  return [...packets.claimed.values()]
    .filter(({ isAnswered }) => isAnswered)
    .map((claim) => ({
      ...{ shopperId: claim.shopperId, packetId: packetIdOf(saleId, claim.packet) },
      ...{ amount: claim.amount, currency: claim.currency, mayBeMissing: mayBeMissing(claim) },
    }))
}
