/** Unpaid orders: their units return and are sold again (O8, O9, G7). */
import { describe, expect, it } from 'vitest'
import type { Pointer } from '../../core/sale/pointer.ts'
import { ownSystem } from './own-stack.ts'
import {
  type Answer,
  buyWhenThereIsRoom,
  buyWhileAllRun,
  eventually,
  openSale,
  pointerOf,
  type Won,
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
})
