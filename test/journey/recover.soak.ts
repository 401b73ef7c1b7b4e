/** Redis loses its data while a sale is running; the table has all of it (P10, I1, I2, I3, I4). */
import { describe, expect, it } from 'vitest'
import { ownSystem } from './own-stack.ts'
import {
  buy,
  buyWhenThereIsRoom,
  buyWhileAllRun,
  call,
  control,
  eventually,
  openSale,
  startTokenOf,
  writtenOrder,
} from './support.ts'

const { stack, system } = await ownSystem()

/**
 * Shoppers with `tokens` send requests until the answer is final; resolves with the ids of the winners. After "sold
 * out" they look for an order of an earlier request, as the page does after a lost answer.
 */
async function clickUntilDecided(saleId: string, tokens: readonly string[]): Promise<(string | undefined)[]> {
  return Promise.all(
    tokens.map((token) =>
      eventually(async () => {
        const startToken = await startTokenOf(stack, saleId)
        const { status, body } = await buyWhenThereIsRoom(stack, saleId, { token, startToken, key: 'one' })
        if (status === 202 || status === 200) return { orderId: body.orderId }
        return body.code === 'sold-out' ? { orderId: await ownOrder(saleId, token) } : undefined
      }).then(({ orderId }) => orderId),
    ),
  )
}

async function ownOrder(saleId: string, token: string): Promise<string | undefined> {
  const { body } = await call<{ orders: { orderId: string }[] }>(stack, `/api/orders?sale=${saleId}`, { token })
  return body.orders[0]?.orderId
}

describe('a sale whose Redis has lost all data in the middle', () => {
  it('is rebuilt by recover: nothing oversold, no order twice, no order lost (P10)', async () => {
    const stock = 80
    const { saleId, startToken } = await openSale(stack, { stock })
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, i) => stack.token(`p-${i}`)))
    const half = tokens.slice(0, stock / 2)
    const before = await Promise.all(
      half.map((token) => buyWhileAllRun(stack, saleId, { token, startToken, key: 'one' })),
    )
    for (const { status } of before) expect(status).toBeLessThan(300)

    const decided = clickUntilDecided(saleId, tokens)
    await system.loseStock()
    const early = await buy(stack, saleId, { token: tokens[150] ?? '', startToken, key: 'early' })
    expect(early.status, 'a missing stock sells nothing').not.toBe(202)
    await control(stack, `/sales/${saleId}/recover`, {})

    const won = (await decided).filter((orderId) => orderId !== undefined)
    expect(won).toHaveLength(stock)
    for (const [i, answer] of before.entries()) {
      expect((await writtenOrder(stack, answer.body.orderId, half[i] ?? '')).status).toBe('awaiting-payment')
      expect(won, 'earlier winners get the same answer again').toContain(answer.body.orderId)
    }
    const orders = await eventually(async () => {
      const written = await system.orders(saleId)
      return written.filter(({ status }) => status === 'awaiting-payment').length === stock ? written : undefined
    })
    expect(new Set(orders.map(({ shopperId }) => shopperId)).size).toBe(orders.length)
    const snapshot = await system.stockSnapshot(saleId)
    expect(snapshot).toMatchObject({ total: stock, booked: stock, outbox: 0 })
    expect(snapshot.holds.map(({ orderId }) => orderId).sort()).toEqual(orders.map(({ orderId }) => orderId).sort())
  })
})
