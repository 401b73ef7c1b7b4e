/**
 * Units by variant as scripts read them, and the counters of the variants of a stock (N1). The units
 * of a sale are divided among its variants: every script changes both in one call.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type Commander, command } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { integer, list } from '../reply.ts'

/** The units of a variant; `left` is negative when more are booked than exist. */
export type VariantCounters = { total: number; left: number; heldBack: number }

/** The stocks of the sale's variants as one argument, in their order. */
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
