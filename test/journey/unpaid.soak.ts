/** Unpaid orders: their units return and are sold again (O8, O9, G7). */
import { describe, expect, it } from 'vitest'
import type { Pointer } from '../../core/sale/pointer.ts'
import { ownSystem } from './own-stack.ts'
import {
  type Answer,
  buy,
  buyWhenThereIsRoom,
  buyWhileAllRun,
  call,
  eventually,
  openSale,
  pointerOf,
  type Won,
  writtenOrder,
} from './support.ts'

const { stack, system } = await ownSystem()

const tokensFor = (name: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => stack.token(`${name}-${i}`)))

/** All shoppers send requests, in chunks that one machine's sockets can take. */
async function rush(saleId: string, startToken: string, tokens: readonly string[]): Promise<Answer<Won>[]> {
  const answers: Answer<Won>[] = []
  for (let at = 0; at < tokens.length; at += 100) {
    const some = tokens.slice(at, at + 100)
    answers.push(...(await Promise.all(some.map((token) => buyWhileAllRun(stack, saleId, { token, startToken })))))
  }
  return answers
}

const wins = (answers: readonly Answer<Won>[]) => answers.filter(({ status }) => status < 300)

const pointerWhen = (saleId: string, holds: (pointer: Pointer) => boolean) =>
  eventually(async () => {
    const pointer = await pointerOf(stack, saleId)
    return holds(pointer) ? pointer : undefined
  })

describe('unpaid units', () => {
  it('all return after 300 unpaid orders, and are sold out again to waiting shoppers (O8, G7, L7, I1)', async () => {
    const stock = 300
    // No unit may return before the last one is sold, which takes half a minute when requests are lost.
    const { saleId, startToken } = await openSale(stack, { stock, paymentWindowSeconds: 60 })
    const [early, waiting] = [await tokensFor('early', stock), await tokensFor('waiting', stock)]
    expect(wins(await rush(saleId, startToken, early))).toHaveLength(stock)
    const next = await buyWhenThereIsRoom(stack, saleId, { token: waiting[0] ?? '', startToken })
    expect(next.body.code).toBe('sold-out')

    const cancelled = await eventually(async () => {
      const orders = await system.orders(saleId)
      return orders.filter(({ status }) => status === 'cancelled').length === stock ? orders : undefined
    })
    expect(cancelled).toHaveLength(stock)
    await pointerWhen(saleId, ({ phase, remaining }) => phase === 'open' && remaining === stock)
    expect(await system.stockSnapshot(saleId)).toMatchObject({ total: stock, booked: 0, holds: [] })

    // The pages of waiting shoppers enable the button again; within three seconds every edge admits them (G7).
    await eventually(async () => {
      const first = await buyWhenThereIsRoom(stack, saleId, { token: waiting[0] ?? '', startToken })
      return first.status === 202 ? first : undefined
    })
    expect(wins(await rush(saleId, startToken, waiting.slice(1)))).toHaveLength(stock - 1)
    const late = await buyWhenThereIsRoom(stack, saleId, { token: await stack.token('late'), startToken })
    // On a busy machine the payment deadline may pass for the first of them.
    const unpaidAgain = (await system.orders(saleId)).filter(
      ({ shopperId, status }) => shopperId.startsWith('waiting') && status === 'cancelled',
    )
    if (unpaidAgain.length === 0) expect(late.body).toMatchObject({ code: 'sold-out', remaining: 0 })
    const { holds } = await system.stockSnapshot(saleId)
    expect(holds.length).toBeLessThanOrEqual(stock)
  })

  it('return when their shopper cancels, and the same shopper may buy again (O9, I3, I5)', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 1 })
    const [ann, bob] = [await stack.token('ann'), await stack.token('bob')]
    const first = await buyWhenThereIsRoom(stack, saleId, { token: ann, startToken, key: 'first' })
    await writtenOrder(stack, first.body.orderId, ann)
    await pointerWhen(saleId, ({ phase }) => phase === 'sold-out')
    const refused = await buyWhenThereIsRoom(stack, saleId, { token: bob, startToken })
    expect(refused.body.code).toBe('sold-out')

    const path = `/api/orders/${first.body.orderId}/cancel`
    expect((await call(stack, path, { token: bob, body: {} })).status, 'no shopper cancels another’s order').toBe(404)
    const given = await call(stack, path, { token: ann, body: {} })
    expect(given).toMatchObject({ status: 200, body: { status: 'cancelled', reason: 'by-shopper' } })
    expect((await call(stack, path, { token: ann, body: {} })).body).toEqual(given.body)
    await pointerWhen(saleId, ({ phase, remaining }) => phase === 'open' && remaining === 1)

    const repeat = await eventually(async () => {
      const answer = await buyWhenThereIsRoom(stack, saleId, { token: ann, startToken, key: 'first' })
      return answer.body.code === 'sold-out' ? undefined : answer
    })
    expect(repeat).toMatchObject({ status: 200, body: { orderId: first.body.orderId, status: 'cancelled' } })
    const second = await eventually(async () => {
      const answer = await buy(stack, saleId, { token: ann, startToken, key: 'second' })
      return answer.status === 202 ? answer : undefined
    })
    expect(second.body.orderId).not.toBe(first.body.orderId)
    expect((await writtenOrder(stack, second.body.orderId, ann)).status).toBe('awaiting-payment')
    const snapshot = await system.stockSnapshot(saleId)
    expect(snapshot).toMatchObject({ total: 1, booked: 1 })
    expect(snapshot.holds.map(({ orderId }) => orderId)).toEqual([second.body.orderId])
  })
})
