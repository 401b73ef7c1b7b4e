/**
 * A change of the crowd's answer reaches the CloudFront Functions, the gate and the pointer from the call that caused
 * it: no schedule runs here, so `reconcile` runs only for what wakes it. The answers of the CloudFront Functions differ
 * from those of the gate by `x-cache`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ownStack } from './own-stack.ts'
import {
  type Answer,
  buy,
  call,
  control,
  createSale,
  eventually,
  pointerOf,
  startTokenOf,
  untilAnswered,
  type Won,
  writtenOrder,
} from './support.ts'

const stack = await ownStack({ databases: 2, scheduled: false, woken: true })
const stock = 12

/** Long enough for `start` to be answered before it. */
const plannedMs = 3000

type Sold = { saleId: string; startToken: string }

/** A sale of all units in so many shards that sells: planned, or started at once. */
async function openSold(opening: 'planned' | 'at once', shards: number): Promise<Sold> {
  const isPlanned = opening === 'planned'
  const startsAt = Date.now() + (isPlanned ? plannedMs : 3_600_000)
  const times = { startsAt, endsAt: startsAt + 7_200_000 }
  const saleId = await createSale(stack, { stock, shards, ...times, admissionRatio: 100 })
  await control(stack, `/sales/${saleId}/start`, isPlanned ? {} : { now: true })
  return { saleId, startToken: await startTokenOf(stack, saleId) }
}

const clickAs = async ({ saleId, startToken }: Sold, name: string): Promise<Answer<Won>> =>
  buy(stack, saleId, { token: await stack.token(name), startToken, key: `${saleId}-${name}` })

/** The units of the sale, each to a shopper of its own; resolves with their orders. */
const sellAll = (sold: Sold) =>
  Promise.all(
    Array.from({ length: stock }, (_, n) => {
      const name = `${sold.saleId}-${n}`
      return eventually(async () => {
        const answer = await clickAs(sold, name)
        if (answer.status < 300) return { orderId: answer.body.orderId, name }
        // Waits as a page does: the gate refuses a shopper who does not wait, for the rest of the minute.
        await sleep((answer.body.retryAfterSeconds ?? 0) * 1000)
        return undefined
      })
    }),
  )

/** Clicks, each of another shopper because the gate refuses one who asks on and on, until one is accepted. */
const untilAccepted = (sold: Sold): Promise<Won> =>
  eventually(async () => {
    const answer = await clickAs(sold, crypto.randomUUID())
    return answer.status < 300 ? answer.body : undefined
  })

/** Clicks until a CloudFront Function refuses with `code`. */
const untilRefused = (sold: Sold, code: string) =>
  eventually(async () => {
    const { body, headers } = await clickAs(sold, crypto.randomUUID())
    return (body.code === code && headers.get('x-cache')?.startsWith('FunctionGenerated')) || undefined
  })

describe.each([
  ['planned', 'whole', 1],
  ['planned', 'split', 2],
  ['at once', 'whole', 1],
  ['at once', 'split', 2],
] as const)('a sale %s with a %s stock', (opening, _, shards) => {
  it('sells every unit, and the CloudFront Functions learn of the last one, of units that return and of a pause (G4, G7, L6, L7, S15)', async () => {
    const sold = await openSold(opening, shards)
    const orders = await sellAll(sold)
    const [first] = orders
    if (first === undefined) throw new Error('no order was accepted')
    for (const { orderId, name } of orders) await writtenOrder(stack, orderId, await stack.token(name))
    await untilRefused(sold, 'sold-out')
    await eventually(async () => (await pointerOf(stack, sold.saleId)).phase === 'sold-out' || undefined)

    const token = await stack.token(first.name)
    const cancel = () => call(stack, `/api/orders/${first.orderId}/cancel`, { token, body: {} })
    expect((await untilAnswered(cancel)).status).toBe(200)
    expect(await untilAccepted(sold)).toMatchObject({ status: 'reserved', quantity: 1 })
    await untilRefused(sold, 'sold-out')

    await control(stack, `/sales/${sold.saleId}/stock`, { delta: 1 })
    await control(stack, `/sales/${sold.saleId}/pause`, {})
    await untilRefused(sold, 'paused')
    await control(stack, `/sales/${sold.saleId}/resume`, {})
    expect(await untilAccepted(sold)).toMatchObject({ status: 'reserved', quantity: 1 })
  })
})
