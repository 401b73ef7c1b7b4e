/**
 * A model of one shard of a split stock: transfers and loss of data. `applyTransfer` is what add-stock.lua does
 * with a stock change, step by step; a test compares the two. `freezeShard` and `openShard` are freeze.lua and
 * unfreeze.lua: a call that arrives late neither freezes nor opens a shard of a later generation.
 */
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { plusParts } from '../../../core/stock/divided-units.ts'
import type { Transfer } from '../../../core/stock/escrow.ts'
import type { ShardStock } from '../../../core/stock/transfer-plan.ts'

/** A missing or frozen stock changes nothing: `unknown-sale`. */
export type AppliedTransfer =
  | { kind: 'changed' | 'repeat' | 'below-booked'; stock: ShardStock }
  | { kind: 'unknown-sale' }

/** The stock of a shard as it is warmed, or created after a loss: nothing is granted to it. */
export const emptyShard: ShardStock = { total: {}, left: {}, stockRevision: 0, change: 0, isFrozen: false }

/** Applies a transfer once. A repeat changes nothing, nor does one from before the generation. */
export function applyTransfer(
  stock: ShardStock | undefined,
  { number, delta }: Pick<Transfer, 'number' | 'delta'>,
): AppliedTransfer {
  if (stock === undefined || stock.isFrozen) return { kind: 'unknown-sale' }
  if (stock.refused === number) return { kind: 'below-booked', stock }
  if (number <= stock.change) return { kind: 'repeat', stock }
  const left = plusParts(stock.left, delta)
  if (Object.entries(delta).some(([id, units]) => units < 0 && (left[id] ?? 0) < 0)) {
    return { kind: 'below-booked', stock: { ...stock, change: number, refused: number } }
  }
  const isRestock = Object.values(delta).some((units) => units > 0)
  const stockRevision = stock.stockRevision + (isRestock ? 1 : 0)
  const counters = { total: plusParts(stock.total, delta), left, stockRevision }
  return { kind: 'changed', stock: { ...stock, ...counters, change: number } }
}

/** Stops a shard from selling, or creates it frozen where its data is lost. */
export function freezeShard(stock: ShardStock | undefined, generation: number): ShardStock {
  if (stock === undefined) return { ...emptyShard, change: generation, isFrozen: true }
  return stock.change >= generation ? stock : { ...stock, change: generation, isFrozen: true }
}

/**
 * Lets a shard sell again that was frozen with `generation`, with a new total. Its booked units stay;
 * `heldBack` are for orders that may still arrive.
 */
export function openShard(
  stock: ShardStock | undefined,
  { generation, total, heldBack }: { generation: number; total: VariantUnits; heldBack: VariantUnits },
): ShardStock | undefined {
  if (stock === undefined || !stock.isFrozen || stock.change !== generation) return stock
  const booked = plusParts(stock.total, stock.left, -1)
  const left = plusParts(plusParts(total, booked, -1), heldBack, -1)
  return { ...stock, total, left, stockRevision: stock.stockRevision + 1, isFrozen: false }
}
