import { describe, expect, it } from 'vitest'
import type { Order } from '../../../../core/orders/order.ts'
import { UnexpectedItem } from '../../../../functions/table/dynamodb.ts'
import { orderItem, readOrderItem } from '../../../../functions/table/orders/order-item.ts'
import { couponCodeOf } from '../../../../proof/simulation/parts/coupons.ts'
import { orderOf } from '../../../contract/table-rig.ts'
import { aSale } from '../../../redis/support.ts'

const sale = aSale()
const order = orderOf(sale, 1)
const late = order.payBy + 120_000
const payment = { paymentId: `${order.orderId}.1`, attempt: 1, startedAt: 7_000, state: 'started' } as const
const named = { constructor: 'won', du_1: 'open' } as const

describe('an order as an item', () => {
  it.each<[string, Partial<Order>]>([
    ['a new one', {}],
    ['one under payment, which is cancelled later than it must be paid', { payment, cancelAt: late }],
    ['a rejected one', { status: 'rejected', reason: 'over-cap' }],
    ['one of coupons', { coupons: [couponCodeOf(1)] }],
    ['one from a further part of the cap', { capPart: 7 }],
    ['one from a campaign', { source: 'newsletter' }],
    [
      'a disputed one, whose dispute has a name that every object has',
      { dispute: { paymentId: payment.paymentId, state: 'open', at: 8_000, each: named } },
    ],
    ['one of variants', { quantity: 3, variant: 'm' }],
  ])('is read as it was written: %s', (_, changes) => {
    const written = orderOf(sale, 1, 1, changes)
    expect(readOrderItem(orderItem(written))).toEqual(written)
  })

  it('has each fact once, in as few attributes as possible, and beside them the line of a report', () => {
    expect(Object.keys(orderItem(order)).toSorted().join(' ')).toBe(
      'amount currency history listPk listSk payBy pk quantity reported sk status',
    )
  })

  it.each([
    [{ listPk: 'SALES' }, 'listPk must be the list of a shopper'],
    [{ listPk: 'SHOPPER#a b' }, 'listPk must be the list of a shopper'],
    [{ listSk: 'soon' }, 'listSk must be'],
    [{ history: ['5000 reserved reserved'] }, 'history.1 must be a string'],
    [{ history: 'none' }, 'history must be a list of two steps or more'],
    [{ cancelAt: 'soon' }, 'cancelAt must be'],
  ])('is refused with %j', (changes, detail) => {
    const item = { ...orderItem(order), ...changes }
    expect(() => readOrderItem(item)).toThrow(UnexpectedItem)
    expect(() => readOrderItem(item)).toThrow(detail)
  })
})
