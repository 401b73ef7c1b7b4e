/** Worlds with sales that are warmed and open, and written orders whose units are held. */
import type { OrderId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { OrderUnits } from '../../core/sale/variants.ts'
import { newOrder } from '../../functions/orders/new-order.ts'
import { reserve as reserveUnits } from '../../redis/buy/reserve.ts'
import type { Commander } from '../../redis/command.ts'
import { readHolds } from '../../redis/orders/holds.ts'
import { readStock } from '../../redis/stock/stock.ts'
import { aPurchase, aSale, orderIdOf, shopperIdOf } from '../redis/support.ts'
import { type World, world } from './world.ts'

/** When shoppers buy, and when the queue has written their orders: every sale of `aSale` is open, and the clock does not move. */
const reservedAt = 5_000
export const writtenAt = 6_000

type Taken = Partial<OrderUnits> & { now?: number }

export async function openSales(redis: Commander, sales: readonly Sale[]) {
  const own = await world({ redis, sales, now: writtenAt })
  const { asked, settled, withdrawn } = own.provider
  /** Published stock changes: the key at the gate, and the revision of the stock. */
  const restocked: { key: string; stockRevision: number }[] = []
  own.gate.after('publish-stock', (command) => {
    const [key = '', , revision] = command.slice(-3)
    restocked.push({ key, stockRevision: Number(revision) })
  })
  return { ...own, ...ordersOf(own), asked, settled, withdrawn, restocked }
}

export type OpenSale = Awaited<ReturnType<typeof openSale>>

/** Opens a world with one sale, by default of goods with a price. */
export async function openSale(redis: Commander, changes: Partial<Sale> = {}) {
  const sale = aSale({ price: 250, ...changes })
  const own = await openSales(redis, [sale])
  return {
    ...own,
    sale,
    reserve: (shopper: number, order?: number, taken?: Taken) => own.reserve(sale, shopper, order, taken),
    write: (shopper: number, order?: number, change?: Partial<Order>) => own.write(sale, shopper, order, change),
    booked: async () => (await own.booked(sale)).redis,
  }
}

function ordersOf({ redis, table, book, makeCoupons }: World) {
  /** The units are only reserved. */
  async function reserve(sale: Sale, shopper: number, order = 1, { now = reservedAt, ...units }: Taken = {}) {
    const taken = await reserveUnits(redis, aPurchase(sale, shopper, order, { now, ...units }))
    if (taken.kind !== 'reserved') throw new Error(`shopper ${shopper} got ${taken.kind}`)
    return taken.message
  }

  /** The order as the queue writes it; `change` is what happened to it since. */
  async function write(sale: Sale, shopper: number, order = 1, change: Partial<Order> = {}): Promise<OrderId> {
    const message = await reserve(sale, shopper, order, { quantity: change.quantity ?? 1, variant: change.variant })
    const chunk = [
      {
        order: { ...newOrder(message, sale, writtenAt, makeCoupons), ...change },
        ...{ messageIds: ['m'], limit: sale.limitPerShopper, capped: sale.stock !== -1 },
      },
    ]
    // The codes of coupons are written first.
    const begun = await book.write(chunk)
    const written = begun.kind === 'begun' ? await book.write(chunk) : begun
    if (written.kind !== 'written') throw new Error(`the order of shopper ${shopper} is ${written.kind}`)
    return message.orderId
  }

  return {
    write,
    reserve: async (...args: Parameters<typeof reserve>): Promise<OrderId> => (await reserve(...args)).orderId,

    /** An order of one unit for each of `shoppers`. */
    async writeEach<Shoppers extends number[]>(sale: Sale, ...shoppers: Shoppers) {
      for (const shopper of shoppers) await write(sale, shopper)
      const orderIds = shoppers.map((shopper) => orderIdOf(sale.saleId, shopper, 1))
      return orderIds as { [At in keyof Shoppers]: OrderId }
    },

    async find(orderId: OrderId): Promise<Order> {
      const order = await table.find(orderId)
      if (order === undefined) throw new Error(`${orderId} is not written`)
      return order
    },

    hold: async ({ saleId }: Pick<Sale, 'saleId'>, orderId: OrderId) =>
      (await readHolds(redis, saleId, new Set([orderId]))).get(orderId),

    /** Units of active orders: in the table, in Redis, and those of shopper 1 in the table. */
    booked: async ({ saleId }: Sale) => ({
      table: await table.sold(saleId),
      redis: (await readStock(redis, saleId))?.booked,
      first: table.bought(saleId, shopperIdOf(1)),
    }),
  }
}
