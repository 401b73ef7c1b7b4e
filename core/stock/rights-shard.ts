/**
 * What one shard of a split stock does with a transfer, and with being lost. `applyTransfer` is what
 * add-stock.lua does with a stock change, step by step; a test compares the two. `freezeShard` and
 * `openShard` are freeze.lua and unfreeze.lua: a call that arrives late neither freezes nor opens a shard
 * of a later generation.
 */
import type { Transfer } from './rights.ts'

/**
 * The fields of the stock's hash. `change` is the number of the last transfer or the generation,
 * `refused` the last transfer that was refused. `stockRevision` rises with every grant and whenever
 * units return to an empty shard.
 */
export type ShardStock = {
  total: number
  left: number
  stockRevision: number
  change: number
  refused?: number
  isFrozen: boolean
}

/** A missing or frozen stock changes nothing: `unknown-sale`. */
export type AppliedTransfer =
  | { kind: 'changed' | 'repeat' | 'below-booked'; stock: ShardStock }
  | { kind: 'unknown-sale' }

/** The stock of a shard as it is warmed: nothing is granted to it yet. */
export const emptyShard: ShardStock = { total: 0, left: 0, stockRevision: 0, change: 0, isFrozen: false }

/** Applies a transfer once. A repeat changes nothing, nor does one from before the generation. */
export function applyTransfer(
  stock: ShardStock | undefined,
  { number, delta }: Pick<Transfer, 'number' | 'delta'>,
): AppliedTransfer {
  if (stock === undefined || stock.isFrozen) return { kind: 'unknown-sale' }
  if (stock.refused === number) return { kind: 'below-booked', stock }
  if (number <= stock.change) return { kind: 'repeat', stock }
  if (delta < 0 && stock.left + delta < 0) {
    return { kind: 'below-booked', stock: { ...stock, change: number, refused: number } }
  }
  const stockRevision = stock.stockRevision + (delta > 0 ? 1 : 0)
  const counters = { total: stock.total + delta, left: stock.left + delta, stockRevision }
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
  { generation, total, heldBack }: { generation: number; total: number; heldBack: number },
): ShardStock | undefined {
  if (stock === undefined || !stock.isFrozen || stock.change !== generation) return stock
  const left = total - (stock.total - stock.left) - heldBack
  return { ...stock, total, left, stockRevision: stock.stockRevision + 1, isFrozen: false }
}
