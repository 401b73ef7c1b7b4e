/** A claim of a red packet through the whole system: gate, Lua, queue, wallet. */
import { describe, expect, it } from 'vitest'
import { rainsIn } from './rains.ts'
import { control } from './support.ts'
import { visit } from './visit.ts'

const stack = visit('packets')
const { openRain, claimAtLast, wallet, creditOf } = rainsIn(() => stack)

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('a sale of red packets', () => {
  it('turns a claim into money in the wallet of its shopper only (P2, P3)', async () => {
    const rain = await openRain(3, 1000)
    const first = await claimAtLast(rain, 'ann')
    expect(first).toMatchObject({ status: 200, body: { currency: 'CNY', remaining: 2 } })
    const { packetId, amount } = first.body
    expect(await claimAtLast(rain, 'ann')).toMatchObject({ status: 200, body: { packetId, amount, repeat: true } })
    expect(await creditOf(rain, 'ann')).toMatchObject({ packetId, amount, currency: 'CNY' })
    expect(await wallet('ann')).toMatchObject({ balances: [{ currency: 'CNY', amount }] })
    expect(await wallet('bob')).toMatchObject({ balances: [], credits: [] })
  })

  it('hands out the whole amount, each packet to one shopper (P3, I1)', async () => {
    const rain = await openRain(12, 5000)
    const crowd = Array.from({ length: 60 }, (_, shopper) => `crowd-${shopper}`)
    const answers = await Promise.all(crowd.map((who) => claimAtLast(rain, who)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(12)
    expect(new Set(won.map(({ body }) => body.packetId)).size).toBe(12)
    expect(sum(won.map(({ body }) => body.amount))).toBe(5000)
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('sold-out')
    const winners = crowd.filter((_, at) => answers[at]?.status === 200)
    const credits = await Promise.all(winners.map((who) => creditOf(rain, who)))
    expect(sum(credits.map(({ amount }) => amount))).toBe(5000)
    expect(await control<object>(stack, `/sales/${rain.saleId}/live`)).toMatchObject({
      stock: { total: 12, booked: 12 },
      orders: { sold: 12 },
    })
  })
})
