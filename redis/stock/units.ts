/**
 * The counters of a stock in Redis: its `total` and how many units are `booked`. An unlimited stock has more units than can be
 * sold, so scripts need no special case. A sale with variants has counters for each; every script changes both in one
 * call (N1).
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type Commander, command } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { integer, list } from '../reply.ts'

/** The units of an unlimited stock. Lua and JSON keep every integer near it exact. */
const unlimitedUnits = 1_000_000_000_000

/** Returns the stored units for a sale's stock, which is -1 if unlimited. */
export function storedUnits(stock: number): number {
  return stock === -1 ? unlimitedUnits : stock
}

/** Returns the stock for stored units, the reverse of `storedUnits`. */
export function stockOf(units: number): number {
  return units === unlimitedUnits ? -1 : units
}

/** Returns the units left for shoppers, -1 for an unlimited stock. Corrupt counters must not look unlimited. */
export function remainingOf(left: number): number {
  return left > unlimitedUnits / 2 ? -1 : Math.max(0, left)
}

/** `total` is -1 for an unlimited stock. `booked` counts units of orders and held-back units. */
export type StockCounters = { total: number; booked: number; stockRevision: number }

/** Parses the counters in a reply: total, booked, stockRevision. @throws UnexpectedReply */
export function countersIn([total, booked, stockRevision]: readonly unknown[]): StockCounters {
  return {
    total: stockOf(integer(total, 'total')),
    booked: integer(booked, 'booked'),
    stockRevision: integer(stockRevision, 'stockRevision'),
  }
}

/** The units of a variant; `left` is negative when more are booked than exist. */
export type VariantCounters = { total: number; left: number; heldBack: number }

/** Returns the stocks of the sale's variants as one argument, in their order. */
export function variantsArgument({ variants = [] }: Pick<Sale, 'variants'>): string {
  return JSON.stringify(variants.map(({ id, stock }) => ({ id, units: stock })))
}

/**
 * Reads the counters of the whole stock and of its variants at one moment. `counters` are the stored values of total, booked,
 * stockRevision and heldBack.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readVariants(
  redis: Commander,
  saleId: SaleId,
  ids: readonly string[],
): Promise<{ counters: unknown[]; variants: Record<string, VariantCounters> }> {
  const fields = ids.flatMap((id) => [`total:${id}`, `booked:${id}`, `heldBack:${id}`])
  const whole = ['total', 'booked', 'stockRevision', 'heldBack']
  const { stock } = stockKeys(saleId, redis.shard)
  const found = list(await command(redis, ['HMGET', stock, ...whole, ...fields]), 'stock')
  const counter = (at: number, what: string) => integer(found[at] ?? '0', what)
  const countersOf = (id: string, place: number) => {
    const at = whole.length + 3 * place
    const total = counter(at, `total of ${id}`)
    const left = total - counter(at + 1, `booked of ${id}`)
    return [id, { total, left, heldBack: counter(at + 2, `heldBack of ${id}`) }] as const
  }
  return { counters: found.slice(0, whole.length), variants: Object.fromEntries(ids.map(countersOf)) }
}
