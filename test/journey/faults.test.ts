/** Promises kept while parts fail (I2, I5, I6). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from '../../local/stack.ts'
import { buy, control, eventually, openSale, writtenOrder } from './support.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ demo: false })
})
afterAll(() => stack.stop())

type Live = { stock: { booked: number }; orders: { sold: number }; outbox: number }
const live = (saleId: string) => control<Live>(stack, `/sales/${saleId}/live`)

describe('when a part fails', () => {
  it('gives a shopper whose reply was lost between Redis and the function the same order again (I5)', async () => {
    const { saleId, startToken } = await openSale(stack)
    const token = await stack.token('ann')
    // A first click of somebody else loads the script, so that the lost reply is the reservation's own.
    await buy(stack, saleId, { token: await stack.token('warm-up'), startToken })
    const key = randomUUID()
    await stack.setFault({ target: 'redis', mode: 'lost-reply', forMs: 60_000, rate: 1 })
    const lost = await buy(stack, saleId, { token, startToken, key })
    expect(lost).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(lost.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await stack.setFault(null)

    const retry = await eventually(async () => {
      const answer = await buy(stack, saleId, { token, startToken, key })
      return answer.status === 503 ? undefined : answer
    })
    expect(retry.status, 'the lost click had taken the unit').toBe(200)
    await stack.runSchedule('reconcile', { minAgeMs: 0 })
    const order = await writtenOrder(stack, retry.body.orderId, token)
    expect(order.quantity).toBe(1)
    expect((await live(saleId)).stock.booked).toBe(2)
  })

  it('keeps every 202 while SQS is down: the outbox sends them when it is back (O4, O5, I2)', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 20 })
    await stack.setFault({ target: 'sqs', mode: 'down', forMs: 60_000, rate: 1 })
    const shoppers = await Promise.all(Array.from({ length: 20 }, (_, i) => stack.token(`queue-${i}`)))
    const answers = await Promise.all(shoppers.map((token) => buy(stack, saleId, { token, startToken })))
    expect(answers.map((a) => a.status)).toEqual(shoppers.map(() => 202))
    expect((await live(saleId)).outbox).toBe(20)

    await stack.setFault(null)
    await stack.runSchedule('reconcile', { minAgeMs: 0 })
    const orders = await Promise.all(
      answers.map((answer, i) => writtenOrder(stack, answer.body.orderId, shoppers[i] ?? '')),
    )
    expect(orders.every((order) => order.status === 'awaiting-payment')).toBe(true)
    expect(await live(saleId)).toMatchObject({ outbox: 0, orders: { sold: 20 }, stock: { booked: 20 } })
  })

  it('writes no second order when the same messages are sent again (O6, I5)', async () => {
    const { saleId, startToken } = await openSale(stack)
    const token = await stack.token('bob')
    const won = await buy(stack, saleId, { token, startToken })
    await writtenOrder(stack, won.body.orderId, token)
    await stack.runSchedule('reconcile', { minAgeMs: 0 })
    await stack.runSchedule('reconcile', { minAgeMs: 0 })
    expect(await live(saleId)).toMatchObject({ orders: { sold: 1 }, stock: { booked: 1 } })
  })

  it('lets nobody win while Redis is dark, says so, and heals by itself (I6)', async () => {
    const { saleId, startToken } = await openSale(stack)
    const token = await stack.token('cat')
    await stack.setFault({ target: 'redis', mode: 'down', forMs: 60_000, rate: 1 })
    const dark = await buy(stack, saleId, { token, startToken })
    expect(dark).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await stack.setFault(null)
    await eventually(
      async () => ((await buy(stack, saleId, { token, startToken })).status === 202 ? true : undefined),
      5000,
    )
  })
})
