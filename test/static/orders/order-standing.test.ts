/** One table: what an order is called and what its money counts as, and that every place says so. */
import { describe, expect, it } from 'vitest'
import { type Dispute, holdsUnits, type Order, type OrderRefund, orderStatuses } from '../../../core/orders/order.ts'
import { stageOf } from '../../../core/orders/order-stage.ts'
import { moneyStateOfOrder, shownStatus } from '../../../core/orders/order-standing.ts'
import { orderCells } from '../../../functions/control/tables.ts'
import { writtenOrderView } from '../../../functions/orders/own-order.ts'
import { paidItems } from '../../../functions/table/orders/paid-orders.ts'
import { reportedOrder } from '../../../functions/table/orders/reported-order.ts'
import { leadOf, titleKeyOf } from '../../../static/orders/order-headline.ts'
import { stepsOf } from '../../../static/orders/steps.ts'
import { orderOf } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'

const sale = aSale({ price: 250 })
const own: OrderRefund = { paymentId: 'pay-1', amount: 0, currency: sale.currency, returned: 0 }

/** Refunds of the order's payment of 250, and of another payment. */
const refunds: Record<string, readonly OrderRefund[] | undefined> = {
  none: undefined,
  'a part back': [{ ...own, returned: 100 }],
  'all owed': [{ ...own, amount: 250, returned: 100 }],
  'all back': [{ ...own, amount: 250, returned: 250 }],
  'another payment back': [{ ...own, paymentId: 'pay-2', amount: 250, returned: 250 }],
}
const disputes = { none: undefined, open: 'open', won: 'won', lost: 'lost' } as const

type Case = { status: Order['status']; amount: number; refund: string; dispute: keyof typeof disputes }
const cases: Case[] = orderStatuses.flatMap((status) =>
  [250, 0].flatMap((amount) =>
    Object.keys(refunds).flatMap((refund) =>
      (['none', 'open', 'won', 'lost'] as const).map((dispute) => ({ status, amount, refund, dispute })),
    ),
  ),
)

function orderIn({ status, amount, refund, dispute }: Case): Order {
  const state = disputes[dispute]
  const of: Dispute | undefined = state && { paymentId: 'pay-1', state, at: 0 }
  const given = refunds[refund]
  return orderOf(sale, 1, 1, {
    ...{ status, amount },
    payment: { paymentId: 'pay-1', attempt: 1, startedAt: 0, state: 'succeeded' },
    ...(given && { refunds: given }),
    ...(of && { dispute: of }),
  })
}

/** The table, as a person says it. */
function expectedOf({ status, amount, refund, dispute }: Case) {
  const isSent = status === 'shipped' || status === 'delivered'
  const isPaid = amount > 0 && isSent
  if (!isPaid && status !== 'paid') return { shown: status, money: undefined }
  if (amount > 0 && refund === 'all owed') return { shown: 'refund-due', money: 'returned' }
  if (amount > 0 && refund === 'all back') return { shown: 'refunded', money: 'returned' }
  return { shown: status, money: dispute === 'open' || dispute === 'lost' ? 'disputed' : 'paid' }
}

describe('what an order says first', () => {
  const real = cases.filter(({ status, amount }) => status !== 'paid' || amount > 0)

  it.each(orderStatuses)('is the same on every page, in the report, in the counts and in the tables: %s', (status) => {
    for (const one of real.filter((each) => each.status === status)) {
      const order = orderIn(one)
      const name = JSON.stringify(one)
      const { shown, money } = expectedOf(one)
      expect({ shown: shownStatus(order), money: moneyStateOfOrder(order) }, name).toEqual({ shown, money })
      expect(reportedOrder(order).shown, name).toBe(shown)
      expect(orderCells.status?.(order), name).toBe(shown)
      const [counted] = paidItems('table', [{ from: { ...order, status: 'cancelled', refunds: [] }, to: order }])
      const values = counted?.Update?.ExpressionAttributeValues ?? {}
      const bucket = { paid: ':orders', disputed: ':disputed', returned: ':returned' }
      const names = Object.keys(values).filter((each) => Object.values(bucket).includes(each))
      expect(names, name).toEqual(money === undefined ? [] : [bucket[money as keyof typeof bucket]])
      expect(values[':amount'] ?? 0, name).toBe(money === 'paid' ? one.amount : 0)
      const view = writtenOrderView(order)
      if (shown === status) expect(view, name).not.toHaveProperty('refund')
      else expect(titleKeyOf(view, stageOf(view, 0), false), name).toBe(`order.title.${shown}`)
    }
  })

  it('of a sent order whose money went back is the refund, and its steps end with it, with the units still gone', () => {
    for (const status of ['shipped', 'delivered'] as const) {
      const view = writtenOrderView(orderIn({ status, amount: 250, refund: 'all back', dispute: 'none' }))
      expect(view).toMatchObject({ status, refund: 'refunded', refundedAmount: 250 })
      expect(leadOf(view, stageOf(view, 0), false)).toEqual(['order.money.back'])
      const steps = stepsOf(status, 'paid', view.refund)
      expect(steps.map(({ state }) => state).join()).toMatch(/^(done,?)+$/)
      expect(steps.at(-1)?.key).toBe('order.step.refunded')
      expect(holdsUnits(view.status)).toBe(true)
    }
  })
})
