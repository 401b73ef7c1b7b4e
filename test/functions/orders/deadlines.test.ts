import { describe, expect, it } from 'vitest'
import { readJson } from '../../../core/lib/parse.ts'
import { deadlinesOf, maxDeadlineOrders, paymentDeadline } from '../../../functions/orders/deadlines.ts'
import { range } from '../../contract/table-rig.ts'
import { orderIdOf, saleIdOf } from '../../redis/support.ts'

const idOf = (shopper: number) => orderIdOf(saleIdOf('sale-of-timers'), shopper, 1)

describe('unpaid timers', () => {
  it('are grouped by time into as few messages as possible (O8)', () => {
    const timers = range(250).map((shopper) => ({ orderId: idOf(shopper), at: shopper % 2 === 0 ? 1 : 2 }))
    const messages = deadlinesOf(timers)
    expect(messages.map(({ at, orderIds }) => [at, orderIds.length])).toEqual([
      [2, maxDeadlineOrders],
      [2, 25],
      [1, maxDeadlineOrders],
      [1, 25],
    ])
    expect(messages.flatMap(({ orderIds }) => orderIds).sort()).toEqual(timers.map(({ orderId }) => orderId).sort())
  })

  it('are messages that their consumer can read, within the size limit of SQS', () => {
    const [message] = deadlinesOf(range(100).map((shopper) => ({ orderId: idOf(shopper), at: 1 })))
    const body = JSON.stringify(message)
    expect(readJson(paymentDeadline, body)).toEqual({ ok: true, value: message })
    expect(body.length * 10, 'ten of them make one request').toBeLessThan(256 * 1024)
  })
})
