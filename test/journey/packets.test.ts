/** A claim of a red packet through the whole system: gate, Lua, queue, wallet. */
import { describe, expect, it } from 'vitest'
import { packetSales } from './packet-sales.ts'
import { sharedShop } from './shared-shop.ts'

const stack = sharedShop('packets')
const { openPacketSale, claimWithRetries, wallet, creditOf } = packetSales(() => stack)

describe('a sale of red packets', () => {
  it('turns a claim into money in the wallet of its shopper only (P2, P3)', async () => {
    const rain = await openPacketSale(3, 1000)
    const first = await claimWithRetries(rain, 'ann')
    expect(first).toMatchObject({ status: 200, body: { currency: 'CNY', remaining: 2 } })
    const { packetId, amount } = first.body
    expect(await claimWithRetries(rain, 'ann')).toMatchObject({ status: 200, body: { packetId, amount, repeat: true } })
    expect(await creditOf(rain, 'ann')).toMatchObject({ packetId, amount, currency: 'CNY' })
    expect(await wallet('ann')).toMatchObject({ balances: [{ currency: 'CNY', amount }] })
    expect(await wallet('bob')).toMatchObject({ balances: [], credits: [] })
  })
})
