/** One suite for every table in which claims may be credited; DynamoDB also under parallel consumers. */

import { expect, it } from 'vitest'
import type { ShopperId } from '../../core/ids.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { fullGroup } from '../../functions/table/packets/claim-group.ts'
import {
  type CreditedClaim,
  creditedClaimPages,
  type DueClaim,
  refusedSentences,
  writeCredits,
} from '../../functions/table/packets/claim-ledger.ts'
import { findWallet } from '../../functions/table/packets/wallets.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { packetRows } from '../../functions/table/sale/sale-rows.ts'
import { aRain } from '../redis/packets/rain.ts'
import { aSale, shopperIdOf } from '../redis/support.ts'
import { openCreditor } from '../world/consumers.ts'
import { claimOf, crowdOf } from '../world/messages.ts'
import { describeTables, range, type TableRig } from './table-rig.ts'

const creditedAt = 6_000

/** A sale whose packet number `n` holds `n + 1`. */
const amountsOf = (packets: number) => range(packets)

async function openRain(rig: TableRig, amounts: readonly number[], changes: Partial<Sale> = {}) {
  const sale = aRain(amounts, changes)
  await rig.openCap(sale.saleId, sale.stock, budgetOf(sale))
  return sale
}

/** The claim of `shopper`; the default packet is the one before their number. */
function due(sale: Sale, shopper: number, packet = shopper - 1, amount = packet + 1): DueClaim {
  const { requestId: _, ...claim } = claimOf({ sale, shopper, packet, amount })
  return { ...claim, budget: budgetOf(sale) }
}

const crowd = (sale: Sale, count: number, from = 1) => range(count, from).map((shopper) => due(sale, shopper))

describeTables('the ledger of claims', (the) => {
  const credit = (...claims: DueClaim[]) => writeCredits(the().table, claims, creditedAt)
  const wallet = (shopper: number) => findWallet(the().table, shopperIdOf(shopper))
  const totals = ({ saleId }: Sale) => saleTotals(the().table, saleId)

  async function owners({ saleId }: Sale): Promise<CreditedClaim[]> {
    const found: CreditedClaim[] = []
    for await (const page of creditedClaimPages(the().table, saleId)) {
      expect(page.length, 'no page is empty').toBeGreaterThan(0)
      found.push(...page)
    }
    return found.sort((a, b) => a.packet - b.packet)
  }

  it('credits 33 claims at once: wallet, owner and cap (O3, P3)', async () => {
    const sale = await openRain(the(), amountsOf(40))
    const claims = crowd(sale, fullGroup, 1)
    expect(fullGroup).toBe(33)
    expect(await credit(...claims)).toEqual({ kind: 'written' })
    const { saleId } = sale
    expect(await findWallet(the().table, shopperIdOf(7))).toMatchObject({
      credits: expect.arrayContaining([
        { saleId, packet: 6, amount: 7, currency: 'CNY', claimedAt: 5_000, creditedAt },
      ]),
    })
    expect(await owners(sale)).toEqual(claims.map(({ saleId: _, budget: __, ...owned }) => ({ ...owned, creditedAt })))
    const claimed = (33 * 34) / 2
    expect(await totals(sale)).toEqual({ remaining: 7, sold: 33, orders: 33, money: { budget: 820, claimed } })
  })

  it('names repeats beside a second packet of a shopper and a second owner of a packet, and writes none (O6, P3, P8)', async () => {
    const sale = await openRain(the(), amountsOf(10))
    await credit(due(sale, 211, 0), due(sale, 212, 1))
    const group = [due(sale, 211, 5), due(sale, 213, 0), due(sale, 212, 1), due(sale, 214, 6)]
    expect(await credit(...group)).toMatchObject({
      kind: 'refused',
      repeats: new Set([shopperIdOf(212)]),
      refused: new Map<ShopperId, string>([
        [shopperIdOf(211), 'other-packet'],
        [shopperIdOf(213), 'packet-taken'],
      ]),
    })
    expect(await owners(sale)).toHaveLength(2)
    expect(await wallet(214)).toEqual({ balances: [], credits: [] })
    expect(await totals(sale)).toMatchObject({ sold: 2, money: { claimed: 3 } })
  })

  it('rejects a shopper or a packet twice in one transaction', async () => {
    const sale = await openRain(the(), amountsOf(10))
    await expect(credit(due(sale, 215, 1), due(sale, 215, 2))).rejects.toThrow()
    await expect(credit(due(sale, 215, 1), due(sale, 216, 1))).rejects.toThrow()
    expect(await owners(sale)).toEqual([])
  })

  it('returns what is left when a sale has fewer packets than claims (I1)', async () => {
    const sale = await openRain(the(), [1, 1, 1])
    await credit(due(sale, 221, 0, 1))
    const late = range(3, 222).map((shopper) => due(sale, shopper, shopper, 0))
    expect(await credit(...late.map((claim) => ({ ...claim, amount: 0 })))).toEqual({
      kind: 'refused',
      repeats: new Set(),
      refused: new Map(),
      left: { packets: 2, money: 2, isClosed: false },
    })
    expect(await totals(sale)).toMatchObject({ remaining: 2, sold: 1 })
  })

  it('never credits more than the budget, to the cent (P1, I1)', async () => {
    const sale = await openRain(the(), [50, 30, 20])
    await credit(due(sale, 231, 0, 50))
    expect(await credit(due(sale, 232, 1, 30), due(sale, 233, 2, 21))).toMatchObject({
      left: { packets: 2, money: 50, isClosed: false },
    })
    expect(await credit(due(sale, 232, 1, 30), due(sale, 233, 2, 20))).toEqual({ kind: 'written' })
    expect(await totals(sale)).toEqual({ remaining: 0, sold: 3, orders: 3, money: { budget: 100, claimed: 100 } })
  })

  it('credits nothing once the budget is closed, and closes it once, for the amount seen (P1)', async () => {
    const sale = await openRain(the(), [50, 30, 20])
    const { saleId } = sale
    await credit(due(sale, 241, 0, 50))
    expect(await the().closeBudget(saleId, 0, 9_000), 'more was credited since').toBe(false)
    expect(await the().closeBudget(saleId, 50, 9_000)).toBe(true)
    expect(await the().closeBudget(saleId, 50, 9_999), 'they are closed').toBe(false)
    expect(await credit(due(sale, 242, 1, 30))).toMatchObject({ left: { packets: 2, money: 50, isClosed: true } })
    expect(await credit(due(sale, 241, 0, 50))).toMatchObject({ repeats: new Set([shopperIdOf(241)]) })
    expect((await totals(sale))?.money).toEqual({ budget: 100, claimed: 50, closedAt: 9_000 })
  })

  it('refuses to credit for a sale without a cap, or with one of another budget (I6)', async () => {
    const missing = aRain([10, 20])
    await expect(credit(due(missing, 251, 0, 10))).rejects.toThrow(/cap/)
    const goods = aSale({ stock: 5 })
    await the().openCap(goods.saleId, 5)
    await expect(credit({ ...due(missing, 251, 0, 10), saleId: goods.saleId })).rejects.toThrow(/cap/)
    const sale = await openRain(the(), [10, 20])
    await expect(credit({ ...due(sale, 251, 0, 10), budget: 31 })).rejects.toThrow(/cap/)
    expect(await wallet(251)).toEqual({ balances: [], credits: [] })
  })

  it('adds up a shopper’s credits over several sales, each currency separately (P2)', async () => {
    const sales = await Promise.all(
      ['CNY', 'JPY', 'CNY'].map((currency) => openRain(the(), [10, 20, 30], { currency })),
    )
    for (const [index, sale] of sales.entries()) await credit(due(sale, 261, index, 10 * (index + 1)))
    const { balances, credits } = await wallet(261)
    expect(balances.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))).toEqual([
      { currency: 'CNY', amount: 40 },
      { currency: 'JPY', amount: 20 },
    ])
    expect(new Set(credits.map(({ saleId }) => saleId))).toEqual(new Set(sales.map(({ saleId }) => saleId)))
  })

  it('lists every credited packet of a sale once and no other sale’s, in an order that stays, from any on (I4)', async () => {
    const sale = await openRain(the(), amountsOf(300))
    const other = await openRain(the(), [1])
    for (let from = 1; from <= 300; from += fullGroup) {
      await credit(...crowd(sale, Math.min(fullGroup, 301 - from), from))
    }
    await credit(due(other, 1, 0, 1))
    expect((await owners(sale)).map(({ packet }) => packet)).toEqual(range(300, 0))
    const listed = async (after?: number) => {
      const found: CreditedClaim[] = []
      for await (const page of packetRows(the().table, sale.saleId, after)) found.push(...page)
      return found
    }
    const all = await listed()
    expect(new Set(all.map(({ packet }) => packet)).size).toBe(300)
    expect(all.every((claim) => claim.creditedAt === creditedAt)).toBe(true)
    for (const at of [0, 1, 150, 298, 299]) expect(await listed(all[at]?.packet)).toEqual(all.slice(at + 1))
    expect(await owners(other)).toHaveLength(1)
    expect(await owners(aRain([1]))).toEqual([])
  })

  it('credits each claim once to parallel consumers of overlapping batches (P3, P8, O6, I5)', async () => {
    const sale = await openRain(the(), amountsOf(120))
    const rig = await openCreditor([sale])
    rig.ports.table = the().table
    const batches = [1, 20, 40, 60, 1, 88].map((from) => crowdOf(sale, fullGroup, from))
    const failed = await Promise.all(batches.map((batch) => rig.credit(batch)))
    expect(failed.flat()).toEqual([])
    const claimed = (120 * 121) / 2
    expect(await totals(sale)).toMatchObject({ remaining: 0, sold: 120, money: { budget: claimed, claimed } })
    expect(rig.telemetry.counted('WalletsCredited')).toBe(120)
    expect(rig.deadLetters.letters.map(({ reason }) => reason)).not.toContain(refusedSentences['over-cap'])
    expect(await owners(sale)).toHaveLength(120)
  })
})
