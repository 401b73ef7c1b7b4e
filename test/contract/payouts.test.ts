/** One suite for every table of payouts: a payout is one with the balance that it is from. */

import { expect, it } from 'vitest'
import { parseShopperId, type ShopperId } from '../../core/ids.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import type { Payout } from '../../functions/lib/shop/payout-provider.ts'
import { writeCredits } from '../../functions/table/packets/claim-ledger.ts'
import {
  duePayouts,
  endPayout,
  findWithdrawable,
  keepPayoutAccount,
  requestPayout,
} from '../../functions/table/packets/payouts.ts'
import { findWallet } from '../../functions/table/packets/wallets.ts'
import { aRain } from '../redis/packets/rain.ts'
import { describeTables, type TableRig } from './table-rig.ts'

let made = 0

/** A shopper whose wallet has that much. */
async function shopperWith({ table, openCap }: TableRig, amount: number): Promise<ShopperId> {
  made += 1
  const shopperId = parseShopperId(`payee-${made}`)
  if (shopperId === undefined) throw new Error('that is no shopper id')
  const sale = aRain([1, 1, amount], { currency: 'EUR' })
  await openCap(sale.saleId, 3, budgetOf(sale))
  const claim = { saleId: sale.saleId, shopperId, packet: 2, amount, currency: 'EUR', claimedAt: 5_000 }
  await writeCredits(table, [{ ...claim, budget: budgetOf(sale) }], 6_000)
  return shopperId
}

function aPayout(shopperId: ShopperId, changes: Partial<Payout> = {}): Payout {
  made += 1
  return {
    payoutId: `payout-${made}`,
    shopperId,
    amount: 900,
    currency: 'EUR',
    requestedAt: 8_000,
    ...changes,
  }
}

describeTables('payouts', (the) => {
  const balanceOf = async (shopperId: ShopperId) => (await findWallet(the().table, shopperId)).balances
  const isDue = async ({ payoutId }: Payout) => (await duePayouts(the().table)).some((due) => due.payoutId === payoutId)

  it('take their money from the balance and fall due, in one step (N5)', async () => {
    const shopperId = await shopperWith(the(), 1000)
    const payout = aPayout(shopperId, { account: 'acct_1' })
    expect(await findWithdrawable(the().table, shopperId, 'EUR')).toEqual({ amount: 1000 })
    expect(await requestPayout(the().table, payout, 1000)).toBe('requested')
    expect(await balanceOf(shopperId)).toEqual([{ amount: 100, currency: 'EUR' }])
    expect(await findWithdrawable(the().table, shopperId, 'EUR')).toEqual({ amount: 100, open: payout })
    expect((await duePayouts(the().table)).find(({ payoutId }) => payoutId === payout.payoutId)).toEqual(payout)
    expect((await findWallet(the().table, shopperId)).payouts).toEqual([{ payout }])
  })

  it('are refused while another is under way, and for a balance that has changed (I5)', async () => {
    const shopperId = await shopperWith(the(), 1000)
    expect(await requestPayout(the().table, aPayout(shopperId), 999)).toBe('changed')
    expect(await requestPayout(the().table, aPayout(shopperId), 1000)).toBe('requested')
    expect(await requestPayout(the().table, aPayout(shopperId, { amount: 50 }), 100)).toBe('changed')
    expect(await requestPayout(the().table, aPayout(shopperId, { currency: 'USD' }), 0)).toBe('changed')
    expect(await balanceOf(shopperId)).toEqual([{ amount: 100, currency: 'EUR' }])
  })

  it('are requested once by two devices at the same moment (I5)', async () => {
    const shopperId = await shopperWith(the(), 1000)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => requestPayout(the().table, aPayout(shopperId, { amount: 1000 }), 1000)),
    )
    expect(answers.filter((answer) => answer === 'requested')).toHaveLength(1)
    expect(await balanceOf(shopperId)).toEqual([{ amount: 0, currency: 'EUR' }])
  })

  it('end once, and then another may begin (I5)', async () => {
    const shopperId = await shopperWith(the(), 1000)
    const payout = aPayout(shopperId)
    await requestPayout(the().table, payout, 1000)
    const ends = await Promise.all([1, 2, 3].map((at) => endPayout(the().table, payout, { kind: 'paid' }, at)))
    expect(ends.toSorted()).toEqual(['ended', 'repeat', 'repeat'])
    expect(await endPayout(the().table, payout, { kind: 'refused', reason: 'account' }, 4)).toBe('contradicted')
    expect(await isDue(payout)).toBe(false)
    expect(await findWithdrawable(the().table, shopperId, 'EUR')).toEqual({ amount: 100 })
    expect((await findWallet(the().table, shopperId)).payouts).toMatchObject([{ payout, end: { kind: 'paid' } }])
    expect(await requestPayout(the().table, aPayout(shopperId, { amount: 100 }), 100)).toBe('requested')
  })

  it('give their money back once when they are refused, beside credits that came meanwhile (N5)', async () => {
    const shopperId = await shopperWith(the(), 1000)
    const payout = aPayout(shopperId)
    await requestPayout(the().table, payout, 1000)
    const sale = aRain([1, 1, 30], { currency: 'EUR' })
    await the().openCap(sale.saleId, 3, budgetOf(sale))
    const claim = { saleId: sale.saleId, shopperId, packet: 2, amount: 30, currency: 'EUR', claimedAt: 5_000 }
    await writeCredits(the().table, [{ ...claim, budget: budgetOf(sale) }], 9_000)
    for (const expected of ['ended', 'repeat']) {
      expect(await endPayout(the().table, payout, { kind: 'refused', reason: 'account' }, 10_000)).toBe(expected)
    }
    expect(await balanceOf(shopperId)).toEqual([{ amount: 1030, currency: 'EUR' }])
    expect(await endPayout(the().table, payout, { kind: 'paid' }, 11_000)).toBe('contradicted')
    expect((await findWallet(the().table, shopperId)).payouts).toEqual([
      { payout, end: { kind: 'refused', reason: 'account', at: 10_000 } },
    ])
  })

  it('go to another account once that replaces the known one, and only that one (I5)', async () => {
    const shopperId = await shopperWith(the(), 1000)
    const keepAccount = (...args: [ShopperId, string, string | undefined]) => keepPayoutAccount(the().table, ...args)
    expect(await keepAccount(shopperId, 'acct_1', undefined)).toBe('acct_1')
    expect(await keepAccount(shopperId, 'acct_2', undefined), 'the first is kept').toBe('acct_1')
    expect(await keepAccount(shopperId, 'acct_2', 'acct_1')).toBe('acct_2')
    expect(await keepAccount(shopperId, 'acct_2', 'acct_1'), 'a repeat').toBe('acct_2')
    expect(await keepAccount(shopperId, 'acct_3', 'acct_1'), 'too late').toBe('acct_2')
    expect(await keepAccount(shopperId, 'acct_3', undefined)).toBe('acct_2')
    expect(await findWithdrawable(the().table, shopperId, 'EUR')).toEqual({ amount: 1000, account: 'acct_2' })
    const others = await Promise.all(
      ['acct_4', 'acct_5', 'acct_6'].map((account) => keepAccount(shopperId, account, 'acct_2')),
    )
    expect(new Set(others).size).toBe(1)
  })
})
