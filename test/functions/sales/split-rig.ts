/** A split stock in one Redis, whose shards can stop answering, with its escrow in memory. */

import { expect } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { OrderUnits } from '../../../core/sale/variants.ts'
import type { Escrow } from '../../../core/stock/escrow.ts'
import { shardNumberOf } from '../../../core/stock/hash-slot.ts'
import type { StockPorts } from '../../../functions/lib/shop/shop.ts'
import { type Balancer, createBalancer } from '../../../functions/sales/balancer.ts'
import { warmAllShards } from '../../../functions/sales/effects.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { type Reservation, type ReserveRequest, reserve } from '../../../redis/buy/reserve.ts'
import type { Command, Commander, SplitStocks } from '../../../redis/command.ts'
import { placeInKey, stockKeys } from '../../../redis/keys.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { readShards } from '../../../redis/stock/stock.ts'
import { updateDefinition } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, raw, shopperIdOf } from '../../redis/support.ts'
import { worldTable } from '../../world/table.ts'

export type SplitRig = {
  sale: Sale
  stock: SplitStocks
  ports: StockPorts
  /** Moves the clock, which begins at 5,000. */
  pass: (milliseconds: number) => void
  /** Shards that do not answer. */
  down: Set<number>
  balancer: Balancer
  /** Rounds of a balancer until the escrow is at rest; resolves with whether the stock is sold out. */
  settle: (by?: Balancer) => Promise<boolean>
  /** Buys for the `nth` shopper of `shard`. */
  buyAt: (shard: number, nth: number, wanted?: number | OrderUnits) => Promise<Reservation>
  purchaseAt: (shard: number, nth: number, wanted?: number | OrderUnits) => ReserveRequest
  /** Units left in each shard; undefined for one that is missing or does not answer. */
  left: () => Promise<(number | undefined)[]>
  /** Deletes the data of one shard. */
  lose: (shard: number) => Promise<void>
}

const maxRounds = 100

/** An open sale over `shardCount` shards, warmed, with the first units granted. */
export async function splitRig(redis: Commander, shardCount: number, changes: Partial<Sale> = {}): Promise<SplitRig> {
  const databases = Array.from({ length: shardCount }, (_, shard) => `db-${shard + 1}`)
  const sale = aSale({ shards: shardCount, databases, limitPerShopper: 5, maxPerOrder: 5, ...changes })
  const { saleId } = sale
  const time = { now: 5_000 }
  const down = new Set<number>()
  const stock: SplitStocks = {
    shardCount: async () => shardCount,
    async exec(command) {
      if (down.has(shardIn(command) ?? -1)) throw new Error('the database does not answer')
      return redis.exec(command)
    },
  }
  const ports = { stock, table: worldTable().table, clock: () => time.now }
  const balancer = createBalancer(ports)
  const purchaseAt = (shard: number, nth: number, wanted: number | OrderUnits = 1) => {
    const shopper = shoppersOf(shard, shardCount, nth + 1)[nth] ?? 0
    const { now } = time
    const units = typeof wanted === 'number' ? { quantity: wanted } : wanted
    return aPurchase(sale, shopper, 1, { ...units, now })
  }
  await warmAllShards(ports, { sale: { ...sale, epoch: 0 }, revision: 1, finishedStockChanges: [] })
  for (const shard of await shardsOf(stock, saleId)) await updateDefinition(shard, sale)
  const rig: SplitRig = {
    ...{ sale, stock, ports, down, balancer, purchaseAt },
    pass: (milliseconds) => {
      time.now += milliseconds
    },
    async settle(by = balancer) {
      for (let round = 0; round < maxRounds; round += 1) {
        const found = await by(sale)
        if (found?.isAtRest) return found.isSoldOut
      }
      throw new Error(`the escrow of ${saleId} does not come to rest`)
    },
    buyAt: (shard, nth, wanted) => reserve(stock, purchaseAt(shard, nth, wanted)),
    async left() {
      const shards = await readShards(stock, saleId)
      return shards.map((facts) =>
        facts === undefined || facts instanceof Error ? undefined : facts.total - facts.booked,
      )
    },
    lose: async (shard) => void (await raw(redis, 'DEL', ...Object.values(stockKeys(saleId, shard)))),
  }
  await rig.settle()
  return rig
}

function shardIn([, first, , third]: Command): number | undefined {
  return (placeInKey(first) ?? placeInKey(third))?.shard
}

/** Returns the first `count` shoppers of `shard`, beginning with number `from`. */
export function shoppersOf(shard: number, shardCount: number, count: number, from = 1): number[] {
  const found: number[] = []
  for (let shopper = from; found.length < count; shopper += 1) {
    if (shardNumberOf(shopperIdOf(shopper), shardCount) === shard) found.push(shopper)
  }
  return found
}

/** Returns the escrow of a sale as the table has it. */
export async function storedEscrow({ table }: Pick<StockPorts, 'table'>, saleId: SaleId): Promise<Escrow> {
  return (await findEscrow(table, saleId)) ?? expect.fail(`${saleId} has no escrow`)
}

/** All units that are booked. */
export async function bookedIn({ stock, sale }: SplitRig): Promise<number> {
  const shards = await readShards(stock, sale.saleId)
  return shards.reduce((sum, facts) => sum + (facts === undefined || facts instanceof Error ? 0 : facts.booked), 0)
}
