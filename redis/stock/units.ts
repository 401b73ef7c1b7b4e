/**
 * Units as Redis counts them: `total` of a stock and how many are `booked`. An unlimited stock has more units
 * than can be sold, so scripts have no case for it. The units of a sale with variants are divided among them: every
 * script changes both in one call (N1).
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type Commander, command } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { integer, list } from '../reply.ts'

/** The units of an unlimited stock. Lua and JSON keep every integer near it exact. */
const unlimitedUnits = 1_000_000_000_000

/** Returns a sale's stock, -1 for an unlimited one, as Redis stores it. */
export function storedUnits(stock: number): number {
  return stock === -1 ? unlimitedUnits : stock
}

/** The reverse of `unitsOf`. */
export function stockOf(units: number): number {
  return units === unlimitedUnits ? -1 : units
}

/** Returns the units that shoppers see as left: -1 for an unlimited stock. Counters that were tampered with must not look like one. */
export function remainingOf(left: number): number {
  return left > unlimitedUnits / 2 ? -1 : Math.max(0, left)
}

/** `total` is -1 for an unlimited stock; `booked` are the units that are taken or held back. */
export type StockCounters = { total: number; booked: number; stockRevision: number }

/** Returns the counters that a script replied: total, booked, stockRevision. @throws UnexpectedReply */
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
 * The counters of the whole stock and those of its variants at one moment; `counters` are total,
 * booked, stockRevision and heldBack as they are stored.
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
