/** Orders of red packets in every order book: the order, the credit, whose the packet is, and the budget are one. */
import { expect, it } from 'vitest'
import { budgetOf } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { readBatch } from '../../functions/table/batch.ts'
import { packetKey } from '../../functions/table/keys.ts'
import { dueReleases } from '../../functions/table/orders/releases.ts'
import { findCredits } from '../../functions/table/packets/wallets.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { moneyLeft } from '../../functions/table/stock/cap-item.ts'
import { aRain, claimIdOf, packetsOf } from '../redis/packets/rain.ts'
import { aSale, shopperIdOf } from '../redis/support.ts'
import { openWriter } from '../world/consumers.ts'
import { crowdOf } from '../world/messages.ts'
import { describeTables, entryOf, finalOf, openCapOf, orderOf, range, type TableRig } from './table-rig.ts'

type Changes = Parameters<typeof orderOf>[3]

async function openRain(rig: TableRig, amounts: readonly number[], changes: Partial<Sale> = {}): Promise<Sale> {
  const sale = aRain(amounts, changes)
  await openCapOf(rig, sale)
  return sale
}

/** The order of `shopper`; the default packet is the one before their number. */
function due(sale: Sale, shopper: number, number = shopper - 1, amount = number + 1, changes: Changes = {}) {
  const [packet] = packetsOf([amount], number, sale.currency)
  const free = { status: 'fulfilled', amount: 0, currency: sale.currency } as const
  const order = orderOf(sale, shopper, 1, { orderId: claimIdOf(sale, shopper), ...free, ...changes })
  return entryOf(sale, packet ? { ...order, packet } : order)
}

const crowd = (sale: Sale, count: number) => range(count).map((shopper) => due(sale, shopper))

describeTables('the orders of red packets', (the) => {
  const write = (...entries: ReturnType<typeof due>[]) => the().book.write(entries)
  const credits = (shopper: number) => findCredits(the().table, shopperIdOf(shopper))
  const totals = ({ saleId }: Sale) => saleTotals(the().table, saleId)
  const owners = async ({ saleId, stock }: Sale) => {
    const items = await readBatch(
      the().table,
      range(stock, 0).map((number) => packetKey(saleId, number)),
    )
    return new Map(items.map(({ sk, orderId }) => [Number(sk), orderId]))
  }

  it('are written 33 at once, each with its credit, its owner and its share of the budget (O3, P3, P8)', async () => {
    const sale = await openRain(the(), range(40))
    const chunk = crowd(sale, 33)
    expect(await write(...chunk)).toEqual({ kind: 'written' })
    const [order] = chunk.map((one) => one.order).slice(6)
    expect(await the().ledger.find(claimIdOf(sale, 7))).toEqual(order)
    const credit = { packet: 6, amount: 7, currency: 'CNY', claimedAt: 5_000, creditedAt: 6_000 }
    expect(await credits(7)).toContainEqual({ saleId: sale.saleId, ...credit })
    expect(await owners(sale)).toEqual(new Map(chunk.map((one, number) => [number, one.order.orderId])))
    const claimed = (33 * 34) / 2
    expect(await totals(sale)).toEqual({ remaining: 7, sold: 33, orders: 33, money: { budget: 820, claimed } })
  })

  it('name repeats beside a second owner of a packet, and write none (O6, P3)', async () => {
    const sale = await openRain(the(), range(10))
    await write(due(sale, 211, 0), due(sale, 212, 1))
    const group = [due(sale, 213, 0), due(sale, 212, 7), due(sale, 214, 6)]
    expect(await write(...group)).toMatchObject({
      duplicates: new Set([claimIdOf(sale, 212)]),
      packetTaken: new Set([claimIdOf(sale, 213)]),
    })
    expect([(await owners(sale)).size, await credits(214)]).toEqual([2, []])
    expect(await totals(sale)).toMatchObject({ sold: 2, money: { claimed: 3 } })
  })

  it('never take more packets or money than there are, to the cent, and say what is left (P1, I1)', async () => {
    const sale = await openRain(the(), [50, 30, 20])
    await write(due(sale, 231, 0, 50))
    const left = { caps: new Map([[sale.saleId, 2]]), counters: new Map([[sale.saleId, { [moneyLeft]: 50 }]]) }
    expect(await write(due(sale, 232, 1, 30), due(sale, 233, 2, 21))).toMatchObject(left)
    expect(await write(due(sale, 232, 1, 30), due(sale, 233, 2, 20))).toEqual({ kind: 'written' })
    expect(await write(due(sale, 234, 3, 1))).toMatchObject({ caps: new Map([[sale.saleId, 0]]) })
    expect(await totals(sale)).toEqual({ remaining: 0, sold: 3, orders: 3, money: { budget: 100, claimed: 100 } })
  })

  it('take nothing of a budget that is closed, once, for the amount seen; a rejected one takes nothing (P1, O9)', async () => {
    const sale = await openRain(the(), [50, 30, 20])
    const { saleId } = sale
    await write(due(sale, 241, 0, 50))
    for (const [seen, isClosed] of [
      [0, false],
      [50, true],
      [50, false],
    ] as const) {
      expect(await the().closeBudget(saleId, seen, 9_000)).toBe(isClosed)
    }
    expect(await write(due(sale, 242, 1, 30))).toMatchObject({ counters: new Map([[saleId, { [moneyLeft]: 0 }]]) })
    expect(await write(due(sale, 241, 0, 50))).toMatchObject({ duplicates: new Set([claimIdOf(sale, 241)]) })
    const rejected = due(sale, 243, 0, 50, { status: 'rejected', reason: 'over-cap' })
    expect(await write(rejected)).toEqual({ kind: 'written' })
    expect([await credits(243), (await owners(sale)).size]).toEqual([[], 1])
    expect(await dueReleases(the().table, saleId)).toEqual([finalOf(rejected.order)])
    expect((await totals(sale))?.money).toEqual({ budget: 100, claimed: 50, closedAt: 9_000 })
  })

  it('are a fault of ours for a sale without a cap, or with one of another budget (I6)', async () => {
    const missing = aRain([10, 20])
    await expect(write(due(missing, 251, 0, 10))).rejects.toThrow(/cap/)
    const goods = aSale({ stock: 5 })
    await openCapOf(the(), goods)
    await expect(write(due({ ...missing, saleId: goods.saleId }, 251, 0, 10))).rejects.toThrow(/cap/)
    const sale = await openRain(the(), [10, 20])
    await expect(write({ ...due(sale, 251, 0, 10), budget: budgetOf(sale) + 1 })).rejects.toThrow(/cap/)
    expect(await credits(251)).toEqual([])
  })

  it('fill one wallet from several sales, each credit in its currency (P2)', async () => {
    const currencies = ['CNY', 'JPY', 'CNY']
    const sales = await Promise.all(currencies.map((currency) => openRain(the(), [10, 20, 30], { currency })))
    for (const [index, sale] of sales.entries()) await write(due(sale, 261, index, 10 * (index + 1)))
    const held = (await credits(261)).map(({ saleId, amount, currency }) => [saleId, amount, currency])
    expect(new Set(held)).toEqual(new Set(sales.map(({ saleId }, at) => [saleId, 10 * (at + 1), currencies[at]])))
  })

  it('are credited once by parallel writers of overlapping batches (P3, P8, O6, I5)', async () => {
    const sale = await openRain(the(), range(120))
    const rig = await openWriter([sale])
    Object.assign(rig.ports, { table: the().table, writer: the().newWriter() })
    const batches = [1, 20, 40, 60, 1, 88].map((from) => crowdOf(sale, 33, from))
    const failed = await Promise.all(batches.map((batch) => rig.write(batch)))
    expect(failed.flat()).toEqual([])
    const claimed = budgetOf(sale)
    expect(await totals(sale)).toMatchObject({ remaining: 0, sold: 120, money: { budget: claimed, claimed } })
    expect(rig.telemetry.counted('OrdersWritten')).toBe(120)
    expect((await owners(sale)).size).toBe(120)
  })
})
