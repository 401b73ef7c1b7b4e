/**
 * What changes the crowd's answer reaches the CloudFront Functions, the gate and the pointer from the call that caused it:
 * no schedule runs here, so `reconcile` runs only for what wakes it.
 */
import { describe, expect, it } from 'vitest'
import { openSold, sellAll, sorts, untilAccepted, untilRefused } from './changed-answers.ts'
import { ownStack } from './own-stack.ts'
import { answered, call, control, eventually, pointerOf, writtenOrder } from './support.ts'

const stack = await ownStack({ databases: 2, scheduled: false, woken: true })
const stock = 12

describe.each(sorts)('a sale %s with a %s stock', (...sort) => {
  it('sells every unit, and the CloudFront Functions learn of the last one, of units that return and of a pause (G4, G7, L6, S15)', async () => {
    const sold = await openSold(stack, sort, stock)
    const { orders } = await sellAll(stack, sold, stock)
    const [first] = orders
    if (first === undefined) throw new Error('no order was accepted')
    for (const { orderId, name } of orders) await writtenOrder(stack, orderId, await stack.token(name))
    await untilRefused(stack, sold, 'sold-out')
    await eventually(async () => (await pointerOf(stack, sold.saleId)).phase === 'sold-out' || undefined)

    const token = await stack.token(first.name)
    const cancel = () => call(stack, `/api/orders/${first.orderId}/cancel`, { token, body: {} })
    expect((await answered(cancel)).status).toBe(200)
    expect(await untilAccepted(stack, sold)).toMatchObject({ status: 'reserved', quantity: 1 })
    await untilRefused(stack, sold, 'sold-out')

    await control(stack, `/sales/${sold.saleId}/stock`, { delta: 1 })
    await control(stack, `/sales/${sold.saleId}/pause`, {})
    await untilRefused(stack, sold, 'paused')
    await control(stack, `/sales/${sold.saleId}/resume`, {})
    expect(await untilAccepted(stack, sold)).toMatchObject({ status: 'reserved', quantity: 1 })
  })
})
