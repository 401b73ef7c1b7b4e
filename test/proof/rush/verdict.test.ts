import { describe, expect, it } from 'vitest'
import { expectedUnits, judge, type RushFacts } from '../../../proof/rush/verdict.ts'
import { couponView } from '../../../proof/rush/watch.ts'
import { facts, first, inRedis, order, validRush } from './valid-rush.ts'

type Spoiled = [what: string, spoil: (facts: RushFacts) => unknown, says: string]

/** Ten units, twenty shoppers, one each. */
const fine = () => validRush({ stock: 10, shoppers: 20, quantity: 1 })
const right = { oversold: 0, lost: 0, stranded: 0, violations: [] }

describe('the verdict of a rush', () => {
  it('finds nothing wrong where every unit has its order (I1, I2, I3, I4)', () => {
    expect(judge(fine())).toEqual({ sold: 10, expected: 10, ...right })
  })

  it('counts units sold beyond the stock as oversold', () => {
    const facts = fine()
    facts.orders.push({ ...first(facts.orders), orderId: 'o10', shopperId: 's10' })
    expect(judge(facts)).toMatchObject({ sold: 11, oversold: 1 })
    expect(judge(facts).violations.join()).toContain('I1')
  })

  it.each<[string, (facts: RushFacts) => unknown, object]>([
    ['no order, and its unit is stranded', ({ orders }) => orders.pop(), { lost: 1, stranded: 1 }],
    ['a rejected order', order({ status: 'rejected' }), { sold: 9, lost: 1 }],
    ['the order of another shopper', order({ shopperId: 'another' }), { lost: 1 }],
  ])('counts a reservation as lost that has %s', (_, spoil, counts) => {
    const facts = fine()
    spoil(facts)
    expect(judge(facts)).toMatchObject(counts)
  })

  it('names the shopper who got more than the limit', () => {
    const facts = fine()
    for (const order of facts.orders.slice(0, 2)) order.shopperId = 'greedy'
    expect(judge(facts).violations.join()).toContain('I3: greedy has 2, the limit is 1')
  })

  it.each<Spoiled>([
    ['units booked without a hold', ({ snapshot }) => snapshot.holds.pop(), 'holds add up to 9'],
    ['a total that changed', inRedis({ total: 11 }), 'total of 11'],
    ['a message left in the outbox', inRedis({ outbox: 1 }), 'outbox'],
    ['a message left in the queue', facts({ queued: 1 }), 'queue'],
    ['a dead letter', facts({ deadLetters: 1 }), 'dead letter'],
    ['an order its shopper cannot see', facts({ unseen: ['o1'] }), 'cannot see: o1'],
    ['a page that shows units that are gone', facts({ shownLeft: 3 }), 'shows 3 left'],
    ['a refusal with the wrong number', facts({ refusedWithLeft: 1 }), 'answered that 1'],
  ])('reports %s', (_, spoil, says) => {
    const facts = fine()
    spoil(facts)
    expect(judge(facts).violations.join()).toContain(says)
  })

  it('expects whole orders only: of fifty units sold in threes two remain (S8)', () => {
    expect(expectedUnits({ stock: 50, shoppers: 5000, quantity: 3 })).toBe(48)
    expect(expectedUnits({ stock: 50, shoppers: 10, quantity: 3 })).toBe(30)
    expect(expectedUnits({ stock: -1, shoppers: 10, quantity: 3 })).toBe(30)
  })
})

describe('the verdict of a rush for coupons', () => {
  const code = (number: number) => String(number).padStart(20, '0')
  /** Six units in twos, ten shoppers: three orders with two codes each. */
  const fine = () => {
    const sale = validRush({ stock: 6, shoppers: 10, quantity: 2 }, { status: 'fulfilled' })
    const facts: RushFacts = { ...sale, kind: 'coupon' }
    for (const [i, order] of facts.orders.entries()) order.coupons = [code(2 * i), code(2 * i + 1)]
    return facts
  }
  const odd = '1 order without one code for each unit (o0)'
  const twice = '1 code given out twice'

  it('finds nothing wrong where every unit has a code of its own (I1, I2)', () => {
    expect(judge(fine())).toEqual({ sold: 6, expected: 6, coupons: 6, ...right })
  })

  it.each<Spoiled>([
    ['an unpaid order', order({ status: 'awaiting-payment' }), '1 order not fulfilled (o0)'],
    ['an order with a code too few', order({ coupons: [code(0)] }), odd],
    ['an order with a code too many', order({ coupons: [code(0), code(1), code(9)] }), odd],
    ['an order without codes', order({ coupons: undefined }), odd],
    ['an invalid code', order({ coupons: [code(0), 'secret'] }), odd],
    ['a code in two orders', order({ coupons: [code(0), code(5)] }), twice],
    ['a code twice in one order', order({ coupons: [code(0), code(0)] }), twice],
    ['a negative counter', inRedis({ booked: 7 }), 'the counter says -1'],
    ['a violation of any sale', facts({ queued: 1 }), '1 message still in the queue'],
  ])('reports %s', (_, spoil, says) => {
    const facts = fine()
    spoil(facts)
    expect(judge(facts).violations.join()).toContain(says)
  })

  it('finds a code of a cancelled order in another order', () => {
    const facts = fine()
    const cancelled = { orderId: 'o9', status: 'cancelled' as const, coupons: [code(5)] }
    facts.orders.push({ ...first(facts.orders), ...cancelled })
    expect(judge(facts).violations).toEqual(['I1: 1 code given out twice'])
  })

  it('checks no counter of an unlimited stock (S4)', () => {
    const facts = fine()
    facts.snapshot.total = -1
    const unlimited = { ...facts, stock: -1, shoppers: 3, shownLeft: -1, refusedWithLeft: undefined }
    expect(judge(unlimited).violations).toEqual([])
  })

  it.each([
    [{ status: 'reserved' }, false],
    [{ status: 'fulfilled' }, false],
    [{ status: 'fulfilled', coupons: ['a', 'a'] }, false],
    [{ status: 'fulfilled', coupons: ['a', 'b'] }, true],
  ])('asks a winner of two until the answer has all codes: %j', (body, isComplete) => {
    expect(couponView.shows(body, { orderId: 'o1', quantity: 2 })).toBe(isComplete)
  })
})
