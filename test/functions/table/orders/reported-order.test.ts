import { describe, expect, it } from 'vitest'
import type { Order } from '../../../../core/orders/order.ts'
import {
  type ReportedOrder,
  readReportLine,
  reportedOrder,
  reportLine,
} from '../../../../functions/table/orders/reported-order.ts'
import { orderOf } from '../../../contract/table-rig.ts'
import { aSale } from '../../../redis/support.ts'

const sale = aSale()
const order = orderOf(sale, 1)
const { orderId, reservedAt } = order
const at = reservedAt + 5000

const paid = { at, what: 'payment-succeeded', status: 'paid' } as const
const confirmed = { at, what: 'confirmed-by-shop', status: 'paid' } as const
const due = { at: at + 1, what: 'refunded-by-marketer', status: 'refund-due' } as const
const back = { at: at + 2, what: 'refund-succeeded', status: 'refunded' } as const
const released = { at: at + 3, what: 'released-by-shop', status: 'refunded' } as const
const refund = { paymentId: 'pay-1', amount: 900, currency: order.currency, returned: 400 }
const foreign = { ...refund, paymentId: 'pay-2', currency: 'XTS' }

const withSteps = (...steps: Order['history']): Pick<Order, 'history'> => ({ history: [...order.history, ...steps] })

const orders: [string, Partial<Order>, Partial<ReportedOrder>][] = [
  ['a new one', {}, { paidAt: undefined, endedAt: undefined, refundDue: undefined, source: undefined }],
  ['one that was paid', withSteps(paid), { paidAt: at }],
  ['one that was paid in the checkout of the shop', withSteps(confirmed), { paidAt: at }],
  ['one that the shop has released', withSteps(confirmed, released), { paidAt: at, endedAt: at + 3 }],
  [
    'a refunded one, of which a part is back',
    { ...withSteps(paid, due, back), status: 'refunded', refunds: [refund, foreign] },
    { paidAt: at, endedAt: at + 1, refundDue: 900, refundReturned: 400 },
  ],
  ['one with a refund in another currency alone', { refunds: [foreign] }, { refundDue: undefined }],
  ['one of which nothing is owed', { refunds: [{ ...refund, amount: 0, returned: 0 }] }, { refundDue: 0 }],
  [
    'one of which money went back on its own (O9)',
    { refunds: [{ ...refund, amount: 0 }] },
    { refundDue: 400, refundReturned: 400 },
  ],
  ['a disputed one', { dispute: { paymentId: 'pay-1', state: 'lost', at } }, { dispute: 'lost' }],
  [
    'a sent one whose money went back',
    {
      ...{ status: 'shipped', amount: 900, refunds: [{ ...refund, returned: 900 }] },
      payment: { paymentId: 'pay-1', attempt: 1, startedAt: at, state: 'succeeded' },
    },
    { status: 'shipped', shown: 'refunded' },
  ],
  ['one of a variant', { quantity: 3, variant: 's' }, { quantity: 3, variant: 's' }],
  ['one from a campaign', { source: 'news.letter-2' }, { source: 'news.letter-2' }],
  [
    'a free one that ended when it was reserved',
    {
      ...{ amount: 0, status: 'cancelled' },
      history: order.history.map((step) => ({ ...step, at: reservedAt, status: 'cancelled' })),
    },
    { amount: 0, endedAt: reservedAt },
  ],
]

describe('what a report reads of an order', () => {
  it.each(orders)('is in the line of its item as in the order itself: %s', (_, changes, facts) => {
    const reported = reportedOrder({ ...order, ...changes })
    expect(reported).toMatchObject(facts)
    expect(readReportLine(orderId, reportLine(reported))).toEqual(reported)
  })

  it('is short', () => {
    const line = reportLine(reportedOrder({ ...order, ...withSteps(paid) }))
    expect(line).toBe(`2 ${order.shopperId} 1  ${order.amount} ${order.currency} ${order.status} ${reservedAt} 5000`)
  })

  const line = reportLine(reportedOrder({ ...order, ...withSteps(paid, due), refunds: [refund], source: 'ad' }))
  const words = line.split(' ')

  it.each([
    ['of another version', words.with(0, '1')],
    ['with more words', [...words, 'more']],
    ['with fewer words', words.slice(0, 6)],
    ['without a shopper', words.with(1, '')],
    ['of a shopper that cannot be', words.with(1, 'a/b')],
    ['with units that are no number', words.with(2, 'two')],
    ['with units in another form', words.with(2, '01')],
    ['with variants that cannot be', words.with(3, 'm*0')],
    ['with an amount that is no number', words.with(4, '')],
    ['without a currency', words.with(5, '')],
    ['with a status of a later version', words.with(6, 'lent')],
    ['with a time that is no number', words.with(7, 'soon')],
    ['with a payment that is no time', words.with(8, '1e3')],
    ['with an end that is no time', words.with(9, 'NaN.')],
    ['with a refund that is no number', words.with(10, '4.x')],
    ['with a dispute of a later version', words.with(12, 'settled')],
  ])('is not read from a line %s', (_, some) => {
    expect(readReportLine(orderId, line)).toBeDefined()
    expect(readReportLine(orderId, some.join(' '))).toBeUndefined()
  })

  it('is not read from an item without a line', () => {
    expect(readReportLine(orderId, undefined)).toBeUndefined()
  })
})
