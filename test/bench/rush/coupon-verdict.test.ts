import { describe, expect, it } from 'vitest'
import { judgeCoupons } from '../../../bench/rush/coupon-verdict.ts'
import type { RushFacts } from '../../../bench/rush/verdict.ts'
import { couponView } from '../../../bench/rush/watch-orders.ts'

const codeOf = (number: number) => String(number).padStart(20, '0')

/** Six units in twos, ten shoppers: three orders with two codes each. */
function fine(): RushFacts {
  const won = [0, 1, 2].map((i) => ({ orderId: `o${i}`, shopperId: `s${i}`, quantity: 2 }))
  return {
    stock: 6,
    shoppers: 10,
    quantity: 2,
    limitPerShopper: 2,
    snapshot: { total: 6, booked: 6, holds: won, outbox: 0 },
    orders: won.map((order, i) => ({
      ...{ ...order, status: 'fulfilled', reservedAt: 0, writtenAt: 5 },
      coupons: [codeOf(2 * i), codeOf(2 * i + 1)],
    })),
    answered: won,
    unseen: [],
    queued: 0,
    deadLetters: 0,
    shownLeft: 0,
    refusedWithLeft: 0,
  }
}

const first = ({ orders }: RushFacts) => {
  const [order] = orders
  if (order === undefined) throw new Error('there is an order')
  return order
}

describe('the verdict of a rush for coupons', () => {
  it('finds nothing wrong where every unit has a code of its own (I1, I2)', () => {
    expect(judgeCoupons(fine())).toEqual({
      ...{ sold: 6, expected: 6, oversold: 0, lost: 0, stranded: 0, coupons: 6 },
      violations: [],
    })
  })

  it.each<[string, (facts: RushFacts) => unknown, string]>([
    [
      'an order that is still to be paid',
      (f) => Object.assign(first(f), { status: 'awaiting-payment' }),
      '1 orders are not fulfilled (o0)',
    ],
    [
      'an order with a code too few',
      (f) => Object.assign(first(f), { coupons: [codeOf(0)] }),
      '1 orders without one code for each unit (o0)',
    ],
    [
      'an order with a code too many',
      (f) => Object.assign(first(f), { coupons: [0, 1, 9].map(codeOf) }),
      '1 orders without one code for each unit (o0)',
    ],
    [
      'an order without codes',
      (f) => Object.assign(first(f), { coupons: undefined }),
      '1 orders without one code for each unit (o0)',
    ],
    [
      'an invalid code',
      (f) => Object.assign(first(f), { coupons: [codeOf(0), 'secret'] }),
      '1 orders without one code for each unit (o0)',
    ],
    [
      'a code in two orders',
      (f) => Object.assign(first(f), { coupons: [codeOf(0), codeOf(5)] }),
      '1 codes were given out twice',
    ],
    [
      'a code twice in one order',
      (f) => Object.assign(first(f), { coupons: [codeOf(0), codeOf(0)] }),
      '1 codes were given out twice',
    ],
    ['a negative counter', (f) => Object.assign(f.snapshot, { booked: 7 }), 'the counter says -1'],
    ['a violation of any sale', (f) => Object.assign(f, { queued: 1 }), 'messages still in the queue'],
  ])('reports %s', (_, spoil, says) => {
    const facts = fine()
    spoil(facts)
    expect(judgeCoupons(facts).violations.join()).toContain(says)
  })

  it('finds a code of a cancelled order in another order', () => {
    const facts = fine()
    facts.orders.push({ ...first(facts), orderId: 'o9', status: 'cancelled', coupons: [codeOf(5)] })
    expect(judgeCoupons(facts).violations).toEqual(['I1: 1 codes were given out twice'])
  })

  it('checks no counter of an unlimited stock (S4)', () => {
    const facts = fine()
    facts.snapshot.total = -1
    const unlimited = { ...facts, stock: -1, shoppers: 3, shownLeft: -1, refusedWithLeft: undefined }
    expect(judgeCoupons(unlimited).violations).toEqual([])
  })
})

describe('an answer about a coupon order', () => {
  const won = { orderId: 'o1', quantity: 2 }

  it('is complete with the order and all of its codes', () => {
    const shows = (body: unknown) => couponView.shows(body, won)
    expect(shows({ status: 'reserved' })).toBe(false)
    expect(shows({ status: 'fulfilled' })).toBe(false)
    expect(shows({ status: 'fulfilled', coupons: ['a', 'a'] })).toBe(false)
    expect(shows({ status: 'fulfilled', coupons: ['a', 'b'] })).toBe(true)
  })
})
