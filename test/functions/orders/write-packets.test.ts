/** Checks what the writer does only with orders of red packets. */
import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { findCredits } from '../../../functions/table/packets/wallets.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { range } from '../../contract/table-rig.ts'
import { aRain, claimIdOf } from '../../redis/packets/rain.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { openWriter } from '../../world/consumers.ts'
import { crowdOf, orderMessageOf } from '../../world/messages.ts'

async function openRain(amounts: readonly number[]) {
  const sale = aRain(amounts)
  const own = await openWriter([sale])
  const { table } = own.book
  return {
    ...{ ...own, sale },
    claimed: async () => (await saleTotals(table, sale.saleId))?.money?.claimed,
    credits: (shopper: number) => findCredits(table, shopperIdOf(shopper)),
    reasons: async (shoppers: number[]) =>
      (await Promise.all(shoppers.map((shopper) => own.book.find(claimIdOf(sale, shopper))))).map(
        (order) => order?.reason ?? order?.status,
      ),
    due: async () => (await dueReleases(table, sale.saleId)).map(({ shopperId }) => shopperId).toSorted(),
  }
}

const messageOf = (sale: Sale, shopper: number, number: number, amount: number) =>
  orderMessageOf({ sale, shopper, packet: { number, amount } }, `#${number}`)

describe('write-orders, with red packets', () => {
  it('credits a batch in one transaction: a fulfilled order without a number and a timer, and the credit (O3, P2, P8)', async () => {
    const { sale, book, deadlines, refreshed, write, credits, claimed } = await openRain(range(33))
    const before = book.counted.transactions
    expect(await write(crowdOf(sale, 33))).toEqual([])
    expect(book.counted.transactions - before).toBe(1)
    const packet = { number: 6, amount: 7, currency: 'CNY' }
    const order = await book.find(claimIdOf(sale, 7))
    expect(order).toMatchObject({ status: 'fulfilled', amount: 0, quantity: 1, packet })
    expect(order).not.toHaveProperty('orderNumber')
    const credit = { saleId: sale.saleId, packet: 6, amount: 7, currency: 'CNY', claimedAt: 5_000, creditedAt: 7_000 }
    expect(await credits(7)).toEqual([credit])
    expect(await claimed()).toBe((33 * 34) / 2)
    expect([deadlines.messages, refreshed]).toEqual([[], [sale.saleId]])
  })

  it('keeps the first packet of a shopper who claimed again after a loss, in either order of the messages (P3, O6)', async () => {
    const { sale, write, credits, claimed, telemetry, acknowledged } = await openRain([1, 2, 3])
    await write([messageOf(sale, 1, 2, 3)])
    expect(await write([messageOf(sale, 1, 0, 1), messageOf(sale, 1, 2, 3)])).toEqual([])
    expect(await credits(1)).toMatchObject([{ packet: 2, amount: 3 }])
    expect([await claimed(), telemetry.counted('DuplicatesDropped')]).toEqual([3, 1])
    expect(acknowledged.removed, 'both leave the outbox').toHaveLength(2)
  })

  it('rejects the order of a packet that another order has, and says so (P3, I2)', async () => {
    const { sale, write, reasons, due, claimed, telemetry, credits } = await openRain([1, 2, 3])
    await write([messageOf(sale, 1, 0, 1)])
    expect(await write([messageOf(sale, 2, 0, 1), messageOf(sale, 3, 1, 2), messageOf(sale, 4, 1, 2)])).toEqual([])
    expect(await reasons([1, 2, 3, 4])).toEqual(['fulfilled', 'over-cap', 'fulfilled', 'over-cap'])
    expect(await due()).toEqual([2, 4].map(shopperIdOf))
    expect([await claimed(), await credits(2), telemetry.counted('OrdersRejected')]).toEqual([3, [], 2])
    expect(JSON.stringify(telemetry.lines), 'no log says who has a packet').not.toContain('shopper-')
  })

  it('credits until packets or money run out, to the cent, and rejects the rest (P1, I1)', async () => {
    const { sale, write, reasons, due, claimed } = await openRain([5, 5, 5])
    const claims = [8, 8, 7].map((amount, number) => messageOf(sale, number + 1, number, amount))
    expect(await write(claims)).toEqual([])
    expect(await reasons([1, 2, 3])).toEqual(['fulfilled', 'over-cap', 'fulfilled'])
    expect(await write([messageOf(sale, 4, 3, 1)])).toEqual([])
    expect([await reasons([4]), await claimed()]).toEqual([['over-cap'], 15])
    expect(await due()).toEqual([2, 4].map(shopperIdOf))
  })
})
