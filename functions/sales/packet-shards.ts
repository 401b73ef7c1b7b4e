/**
 * The shards of a sale of red packets. There is no bank: each shard has its own packets for good, so
 * what it must have follows from the sale.
 */

import { packetsOfShard } from '../../core/packets/packet-shards.ts'
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import type { Commander, Stocks } from '../../redis/command.ts'
import { shardsOf } from '../../redis/shards.ts'
import { addStock, type NumberedChange, type StockChange } from '../../redis/stock/add-stock.ts'
import { readShards, type StockFacts } from '../../redis/stock/stock.ts'
import { type WarmSale, warmStock } from '../../redis/stock/warm.ts'
import type { StockPorts } from '../lib/shop/shop.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { saleTotals } from '../table/sale/sale-orders.ts'
import { findSale } from '../table/sale/sales.ts'
import { type PacketList, packetListsOf, packetsOnceThere, packetsUpTo } from './load-packets.ts'

/**
 * Warms each shard with its part of `sale.stock`, without the packets.
 * @throws when a shard is unavailable
 */
export async function warmPacketShards(shards: readonly Commander[], sale: WarmSale): Promise<void> {
  const parts = shards.map((shard, at) => warmStock(shard, partOf(sale, at, shards.length)))
  await Promise.all(parts)
}

/** The sale as one shard has it. */
export function partOf(sale: WarmSale, number: number, shardCount: number): WarmSale {
  return { ...sale, stock: packetsOfShard(sale.stock, number, shardCount) }
}

/**
 * Gives each shard its part of the units of a window; `sale` has them already. A shard that does not
 * answer keeps no other from getting its own. Safe to repeat.
 * @throws when a shard is unavailable
 */
export async function addPacketUnits(
  stock: Stocks,
  { saleId, stock: after }: Sale,
  { number, delta }: NumberedChange,
): Promise<StockChange> {
  const shards = await shardsOf(stock, saleId)
  const partAt = (units: number, at: number) => packetsOfShard(units, at, shards.length)
  const calls = shards.map((shard, at) =>
    addStock(shard, saleId, { number, delta: partAt(after, at) - partAt(after - delta, at) }),
  )
  const sum = { kind: 'repeat' as 'changed' | 'repeat', total: 0, booked: 0, stockRevision: 0 }
  for (const call of await Promise.allSettled(calls)) {
    if (call.status === 'rejected') throw call.reason
    if (call.value.kind !== 'changed' && call.value.kind !== 'repeat') return call.value
    const { kind, total, booked, stockRevision } = call.value
    if (kind === 'changed') sum.kind = kind
    sum.total += total
    sum.booked += booked
    sum.stockRevision += stockRevision
  }
  return sum
}

/** A shard and its facts; undefined when it is missing, an error when it does not answer. */
type SeenList = PacketList & { facts: StockFacts | Error | undefined }

async function seenLists({ stock }: StockPorts, sale: Sale): Promise<readonly SeenList[]> {
  const lists = await packetListsOf(stock, sale)
  const facts = await readShards(stock, sale.saleId)
  return lists.map((list, at) => ({ ...list, facts: facts[at] }))
}

/**
 * The shards that answer, but have lost their data or went back to an older state of it. None of a
 * sale that was never started, because it can be warmed again, and none while the sale changes.
 * @throws when the table is unavailable
 */
export async function lostPacketShards(ports: StockPorts, record: SaleRecord): Promise<readonly PacketList[]> {
  const { sale, revision } = record
  if (sale.epoch === 0) return []
  const seen = await seenLists(ports, sale)
  const wasUsed = await hasClaims(ports, sale, seen)
  const lost = seen.filter((list) => isLost(record, list, wasUsed, ports.clock()))
  if (lost.length === 0) return []
  return (await findSale(ports.table, sale.saleId))?.revision === revision ? lost : []
}

/**
 * True when no shard that answers waits for packets of its own that can be loaded now, other than lost ones.
 * @throws when the table is unavailable
 */
export async function allPacketsLoaded(ports: StockPorts, record: SaleRecord): Promise<boolean> {
  const { sale, pendingStock } = record
  if (pendingStock !== undefined || hasEnded(sale, ports.clock())) return true
  const now = ports.clock()
  const seen = await seenLists(ports, sale)
  return seen.every(({ facts, number, shardCount }) => {
    if (facts === undefined || facts instanceof Error || facts.frozen) return true
    const loaded = facts.packets?.loaded ?? 0
    const isLeft = loaded < packetsOfShard(packetsOnceThere(sale, now), number, shardCount)
    return isLeft || loaded === packetsOfShard(packetsUpTo(sale), number, shardCount)
  })
}

/**
 * The shards that may be flipped. One that has never been open although packets were claimed was
 * warmed again after a loss, by a late call, and would hand out its packets a second time.
 */
export async function flippableShards(ports: StockPorts, sale: Sale): Promise<readonly Commander[]> {
  const seen = await seenLists(ports, sale)
  const wasUsed = await hasClaims(ports, sale, seen)
  return seen.filter(({ facts }) => !isWarmedAgain(sale, facts, wasUsed)).map(({ shard }) => shard)
}

/** Asked only where a shard was never open. */
async function hasClaims({ table }: StockPorts, { saleId, epoch }: Sale, seen: readonly SeenList[]): Promise<boolean> {
  const there = seen.flatMap(({ facts }) => (facts === undefined || facts instanceof Error ? [] : [facts]))
  if (epoch === 0 || there.every((facts) => facts.epoch > 0)) return false
  if (there.some(({ booked }) => booked > 0)) return true
  return ((await saleTotals(table, saleId))?.orders ?? 0) > 0
}

function isWarmedAgain({ epoch }: Sale, facts: SeenList['facts'], wasUsed: boolean): boolean {
  if (facts === undefined || facts instanceof Error || facts.frozen) return false
  return epoch > 0 && facts.epoch === 0 && wasUsed
}

/**
 * Packets leave the list of a shard only with a claim, and its total changes only with a stock change
 * that is recorded with the sale.
 */
function isLost(
  { sale, pendingStock }: SaleRecord,
  { facts, number, shardCount }: SeenList,
  wasUsed: boolean,
  now: number,
): boolean {
  if (facts instanceof Error) return false
  if (facts === undefined || facts.frozen || isWarmedAgain(sale, facts, wasUsed)) return true
  const { total, booked, packets = { loaded: 0, waiting: 0 } } = facts
  if (pendingStock === undefined && total !== packetsOfShard(sale.stock, number, shardCount)) return true
  if (hasEnded(sale, now)) return false
  if (packets.loaded < packetsOfShard(packetsOnceThere(sale, now), number, shardCount)) return true
  return packets.waiting + booked !== packets.loaded
}
