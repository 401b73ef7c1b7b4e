/**
 * Reads a sale's stock, for the console, a shopper's own orders, and repairs; removes that of an
 * archived sale.
 */
import {
  type OrderId,
  parseOrderId,
  parseShopperId,
  type SaleId,
  type ShopperId,
  saleOfOrder,
} from '../core/ids.ts'
import type { Available, Flag } from '../core/phase.ts'
import { type Commander, command } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { stockKeys } from './keys.ts'
import { isFrozenWindow } from './packed-window.ts'
import { countPackets } from './packets.ts'
import { flag, integer, list, startToken, text } from './reply.ts'
import { definitionFields, definitionIn, type StockDefinition } from './stock-definition.ts'

/**
 * `total` and `available` are -1 for an unlimited stock. Times are epoch ms. A frozen stock sells
 * nothing. `definition` is what a sale is made of there, as it is stored. `packets` says of a sale
 * of red packets how many numbers were loaded and how many packets wait; booked there are those
 * claimed or held back.
 */
export type StockFacts = {
  total: number
  booked: number
  stockRevision: number
  available: Available
  flag: Flag
  epoch: number
  startToken: string | null
  startsAt: number
  endsAt: number
  version: number
  frozen: boolean
  definition: StockDefinition
  /** Units booked for orders that Redis has lost and that may still arrive; see unfreeze.lua. */
  heldBack: number
  heldSince: number
  quietSince: number | undefined
  /** When messages of the outbox were last resent, 0 for never. */
  resentAt: number
  packets?: { loaded: number; waiting: number }
}

/** One reservation as Redis holds it. `reservedAt` is epoch ms. */
export type Hold = { quantity: number; shopperId: ShopperId; reservedAt: number }

const heldFields = ['heldBack', 'heldSince', 'quietSince', 'resentAt'] as const

const fields = ['total', 'booked', 'stockRevision', 'loaded', ...heldFields, ...definitionFields]

/**
 * The stock of a sale, or undefined when it is missing.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readStock(redis: Commander, saleId: SaleId): Promise<StockFacts | undefined> {
  const found = list(await command(redis, ['HMGET', stockKeys(saleId).stock, ...fields]), 'stock')
  if (found[0] === null) return undefined
  const [, , stockRevision, loaded, heldBack, heldSince, quietSince, resentAt, ...stored] = found
  const definition = definitionIn(stored)
  const units = {
    total: integer(found[0], 'total'),
    booked: integer(found[1], 'booked'),
  }
  const facts = {
    stockRevision: integer(stockRevision, 'stockRevision'),
    flag: flag(definition.flag),
    epoch: integer(definition.epoch, 'epoch'),
    startToken: startToken(definition.startToken),
    startsAt: integer(definition.startsAt, 'startsAt'),
    endsAt: integer(definition.endsAt, 'endsAt'),
    version: integer(definition.version, 'version'),
    frozen: isFrozenWindow(definition.packedWindow),
    definition,
    heldBack: integer(heldBack ?? '0', 'heldBack'),
    heldSince: integer(heldSince ?? '0', 'heldSince'),
    quietSince: (quietSince ?? '') === '' ? undefined : integer(quietSince, 'quietSince'),
    resentAt: integer(resentAt ?? '0', 'resentAt'),
  }
  if (loaded !== null) return withPackets(redis, saleId, facts)
  const { total, booked } = units
  return { ...units, ...facts, available: total === -1 ? -1 : Math.max(0, total - booked) }
}

/** Claims are counted here, on reading, to save work in claim.lua. */
async function withPackets(
  redis: Commander,
  saleId: SaleId,
  facts: Omit<StockFacts, 'total' | 'booked' | 'available' | 'packets'>,
): Promise<StockFacts | undefined> {
  const counts = await countPackets(redis, saleId)
  if (counts === undefined) return undefined
  const { total, loaded, waiting, claims, heldBack } = counts
  const booked = claims + heldBack
  const available = Math.max(0, Math.min(total - booked, waiting))
  return { ...facts, total, booked, heldBack, available, packets: { loaded, waiting } }
}

/**
 * The reservation of an order id, or undefined.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readHold(redis: Commander, orderId: OrderId): Promise<Hold | undefined> {
  const { holds } = stockKeys(saleOfOrder(orderId))
  const found = await command(redis, ['HGET', holds, orderId])
  return found === null ? undefined : parseHold(text(found, 'hold'))
}

/**
 * Those of `orderIds`, at least one and all of one sale, that hold units.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readHolds(
  redis: Commander,
  saleId: SaleId,
  orderIds: readonly OrderId[],
): Promise<Map<OrderId, Hold>> {
  const { holds } = stockKeys(saleId)
  const found = list(await command(redis, ['HMGET', holds, ...orderIds]), 'holds')
  const pairs = orderIds.map((orderId, index) => [orderId, found[index] ?? null] as const)
  return new Map(
    pairs.flatMap(([orderId, hold]) => (hold === null ? [] : [[orderId, parseHold(text(hold, 'hold'))]])),
  )
}

/** A hold as reserve.lua writes it: `<quantity> <shopper id> <reserved at>`. */
export function parseHold(stored: string): Hold {
  const [quantity, shopper, reservedAt] = stored.split(' ')
  const shopperId = parseShopperId(shopper)
  if (shopperId === undefined) throw new UnexpectedReply('a hold names no shopper')
  return { quantity: integer(quantity, 'quantity'), shopperId, reservedAt: integer(reservedAt, 'reservedAt') }
}

/**
 * The reservations of one shopper in one sale, oldest first; released ones have a quantity of 0.
 * The times of tries, which reserve.lua stores beside them, are left out.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function ordersOfShopper(
  redis: Commander,
  saleId: SaleId,
  shopperId: ShopperId,
): Promise<{ orderId: OrderId; quantity: number }[]> {
  const found = await command(redis, ['HGET', stockKeys(saleId).buyers, shopperId])
  if (found === null) return []
  return text(found, 'buyer')
    .split(' ')
    .filter((word) => !word.startsWith('@'))
    .map((entry) => {
      const [id, quantity] = entry.split('=')
      const orderId = parseOrderId(id)
      if (orderId === undefined) throw new UnexpectedReply('a buyer has an order without an id')
      return { orderId, quantity: integer(quantity, 'quantity') }
    })
}

/**
 * Removes a sale's stock and all its data, for a sale that never opened or is archived.
 * Irreversible. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function removeStock(redis: Commander, saleId: SaleId): Promise<void> {
  await command(redis, ['UNLINK', ...Object.values(stockKeys(saleId))])
}
