/** Written orders with their units held in a real Redis, and a record of what was published. */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { Order } from '../../../core/order.ts'
import type { PaymentMoney } from '../../../core/order-life.ts'
import type { Sale } from '../../../core/sale.ts'
import { bookInParts } from '../../../functions/orders/book-in-parts.ts'
import type { CancelUnpaidPorts } from '../../../functions/orders/cancel-unpaid.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import type { SettlePorts } from '../../../functions/orders/settle.ts'
import type { Commander } from '../../../redis/command.ts'
import { reserve } from '../../../redis/reserve.ts'
import { readStock } from '../../../redis/stock.ts'
import { warmStock } from '../../../redis/warm.ts'
import { memoryBanks } from '../../../simulation/memory/banks.ts'
import { noCoupons } from '../../../simulation/memory/counted-coupons.ts'
import { memoryTable } from '../../../simulation/memory/order-table.ts'
import { outage } from '../../../simulation/memory/outage.ts'
import { testTelemetry } from '../../../simulation/memory/support.ts'
import { aPurchase, orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { testStore } from '../../redis/test-store.ts'
import { settledMoney } from '../../world/settled-money.ts'

export const writtenAt = 6_000

export async function lifeRig(redis: Commander, sales: readonly Sale[]) {
  const table = memoryTable()
  const book = bookInParts({ book: table, capParts: table.capParts, random: Math.random })
  const stock = testStore(redis)
  const gate = testStore(redis, 'the gate')
  const telemetry = testTelemetry()
  const providerLight = outage('the payment provider')
  const time = { now: writtenAt }
  /** What was published to the gate: the key, and the revision of the stock. */
  const restocked: { key: string; stockRevision: number }[] = []
  gate.after('publish-stock', (command) => {
    const [key = '', , revision] = command.slice(-3)
    restocked.push({ key, stockRevision: Number(revision) })
  })
  const refreshed: SaleId[] = []
  const { settled, withdrawn, calls } = settledMoney(providerLight.pass)
  const asked: (PaymentMoney & { orderId: string })[] = []
  const pauses: number[] = []
  for (const sale of sales) {
    await warmStock(redis, sale)
    await table.openCap(sale.saleId, sale.stock)
  }
  const ports: SettlePorts & CancelUnpaidPorts = {
    ledger: table,
    releases: table.releases,
    banks: memoryBanks(),
    refunds: table.refunds,
    authorisations: table.authorisations,
    stock,
    gate,
    shopfront: { refresh: async (saleId) => void refreshed.push(saleId) },
    provider: {
      refund: async (refund) => {
        providerLight.pass()
        asked.push(refund)
      },
      ...calls,
    },
    clock: () => time.now,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
      time.now += milliseconds
    },
    ...telemetry,
  }

  /** Reserves and writes an order of one unit for each of `shoppers`. */
  const write = async (sale: Sale, ...shoppers: number[]): Promise<OrderId[]> => {
    for (const shopper of shoppers) {
      const purchase = aPurchase(sale, shopper)
      const taken = await reserve(redis, purchase)
      if (taken.kind !== 'reserved') throw new Error(`shopper ${shopper} got ${taken.kind}`)
      const order = newOrder({ ...purchase, reservedAt: purchase.now }, sale, writtenAt, noCoupons)
      const entry = { order, messageIds: [], limit: sale.limitPerShopper, capped: sale.stock !== -1 }
      const written = await book.write([entry])
      if (written.kind !== 'written') throw new Error(`the order of shopper ${shopper} is ${written.kind}`)
    }
    return shoppers.map((shopper) => orderIdOf(sale.saleId, shopper, 1))
  }

  const find = async (orderId: OrderId): Promise<Order> => {
    const order = await table.find(orderId)
    if (order === undefined) throw new Error(`${orderId} is not written`)
    return order
  }

  /** Units of active orders: in the table, in Redis, and those of shopper 1 in the table. */
  const booked = async (sale: Sale) => ({
    table: await table.sold(sale.saleId),
    redis: (await readStock(redis, sale.saleId))?.booked,
    first: table.bought(sale.saleId, shopperIdOf(1)),
  })

  return {
    table,
    stock,
    telemetry,
    gate,
    providerLight,
    time,
    restocked,
    refreshed,
    asked,
    settled,
    withdrawn,
    pauses,
    ports,
    write,
    find,
    booked,
  }
}
