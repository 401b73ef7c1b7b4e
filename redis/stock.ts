/**
 * Reads a sale's stock, for the console, a shopper's own orders, and repairs; removes that of an
 * archived sale.
 */
import { type OrderId, type SaleId, type ShopperId, saleOfOrder } from '../core/ids.ts'
import type { Available, Flag } from '../core/phase.ts'
import { type Command, type Commander, command } from './command.ts'
import { type HeldOrder, type Hold, ordersIn } from './holds.ts'
import { shopperField, stockKeys } from './keys.ts'
import { isFrozenWindow } from './packed-window.ts'
import { countPackets } from './packets.ts'
import { flag, integer, list, startToken, text } from './reply.ts'
import { definitionFields, definitionIn, type StockDefinition } from './stock-definition.ts'
import { countersIn, remainingOf, type StockCounters } from './units.ts'

/**
 * `total` and `available` are -1 for an unlimited stock. Times are epoch ms. A frozen stock sells
 * nothing. `definition` is what a sale is made of there, as it is stored. `packets` says of a sale
 * of red packets how many numbers were loaded and how many packets wait; booked there are those
 * claimed or held back.
 */
export type StockFacts = StockCounters & {
  tag: string
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

const heldFields = ['heldBack', 'heldSince', 'quietSince', 'resentAt'] as const

const fields = ['total', 'left', 'stockRevision', 'tag', 'loaded', ...heldFields, ...definitionFields]

/**
 * The stock of a sale, or undefined when it is missing.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readStock(redis: Commander, saleId: SaleId): Promise<StockFacts | undefined> {
  const found = list(await command(redis, ['HMGET', stockKeys(saleId).stock, ...fields]), 'stock')
  if (found[0] === null) return undefined
  const [total, left, stockRevision, tag, loaded, heldBack, heldSince, quietSince, resentAt, ...stored] =
    found
  const definition = definitionIn(stored)
  const facts = {
    ...countersIn([total, left, stockRevision]),
    tag: text(tag, 'tag'),
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
  return { ...facts, available: remainingOf(integer(left, 'left')) }
}

/**
 * Claims are counted here, on reading, to save work in claim.lua. The revision belongs to these
 * counts: packets may have been added since the first read.
 */
async function withPackets(
  redis: Commander,
  saleId: SaleId,
  facts: Omit<StockFacts, 'available' | 'packets'>,
): Promise<StockFacts | undefined> {
  const counts = await countPackets(redis, saleId)
  if (counts === undefined) return undefined
  const { total, loaded, waiting, claims, heldBack, stockRevision } = counts
  const booked = claims + heldBack
  const available = Math.max(0, Math.min(total - booked, waiting))
  return { ...facts, total, booked, heldBack, available, stockRevision, packets: { loaded, waiting } }
}

/**
 * The reservation of an order of `shopperId`, or undefined when it holds no units.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readHold(
  redis: Commander,
  orderId: OrderId,
  shopperId: ShopperId,
): Promise<Hold | undefined> {
  const orders = await ordersOfShopper(redis, saleOfOrder(orderId), shopperId)
  return orders.find((hold) => hold.orderId === orderId && hold.quantity > 0)
}

/**
 * The reservations of one shopper in one sale, oldest first; released ones have a quantity of 0.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function ordersOfShopper(
  redis: Commander,
  saleId: SaleId,
  shopperId: ShopperId,
): Promise<HeldOrder[]> {
  const args: Command = ['HGET', stockKeys(saleId).stock, shopperField(shopperId)]
  const found = await command(redis, args)
  return found === null ? [] : ordersIn(saleId, shopperId, text(found, 'record of a shopper'))
}

/**
 * Removes a sale's stock and all its data, for a sale that never opened or is archived.
 * Irreversible. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function removeStock(redis: Commander, saleId: SaleId): Promise<void> {
  await command(redis, ['UNLINK', ...Object.values(stockKeys(saleId))])
}
