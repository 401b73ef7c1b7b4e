import { describe, expect, it } from 'vitest'
import { expectedUnits, judge, type RushFacts } from '../../../bench/rush/verdict.ts'

/** Ten units, twenty shoppers, one each, and nothing is wrong. */
function fine(): RushFacts {
  const ids = Array.from({ length: 10 }, (_, i) => ({ orderId: `o${i}`, shopperId: `s${i}`, quantity: 1 }))
  return {
    stock: 10,
    shoppers: 20,
    quantity: 1,
    limitPerShopper: 1,
    snapshot: { total: 10, booked: 10, holds: ids, outbox: 0 },
    orders: ids.map((order) => ({ ...order, status: 'awaiting-payment', reservedAt: 0, writtenAt: 5 })),
    answered: ids,
    unseen: [],
    queued: 0,
    deadLetters: 0,
    shownLeft: 0,
    refusedWithLeft: 0,
  }
}

const first = (facts: RushFacts) => {
  const [order] = facts.orders
  if (order === undefined) throw new Error('there is an order')
  return order
}

describe('the verdict of a rush', () => {
  it('finds nothing wrong where every unit has its order (I1, I2, I3, I4)', () => {
    expect(judge(fine())).toEqual({
      sold: 10,
      expected: 10,
      oversold: 0,
      lost: 0,
      stranded: 0,
      violations: [],
    })
  })

  it('counts units sold beyond the stock as oversold', () => {
    const facts = fine()
    facts.orders.push({ ...first(facts), orderId: 'o10', shopperId: 's10' })
    expect(judge(facts)).toMatchObject({ sold: 11, oversold: 1 })
    expect(judge(facts).violations.join()).toContain('I1')
  })

  it('counts a reservation without its order as lost and the unit as stranded', () => {
    const facts = fine()
    facts.orders.pop()
    expect(judge(facts)).toMatchObject({ lost: 1, stranded: 1 })
  })

  it('does not accept a rejected order for a reservation', () => {
    const facts = fine()
    first(facts).status = 'rejected'
    expect(judge(facts)).toMatchObject({ sold: 9, lost: 1 })
  })

  it('does not accept the order of another shopper for a reservation', () => {
    const facts = fine()
    first(facts).shopperId = 'another'
    expect(judge(facts).lost).toBe(1)
  })

  it('names the shopper who got more than the limit', () => {
    const facts = fine()
    for (const order of facts.orders.slice(0, 2)) order.shopperId = 'greedy'
    expect(judge(facts).violations.join()).toContain('I3: greedy has 2 units')
  })

  it.each<[string, (facts: RushFacts) => void, string]>([
    ['units booked without a hold', (f) => f.snapshot.holds.pop(), 'holds add up to 9'],
    ['a total that changed', (f) => Object.assign(f.snapshot, { total: 11 }), 'total of 11'],
    ['a message left in the outbox', (f) => Object.assign(f.snapshot, { outbox: 1 }), 'outbox'],
    ['a message left in the queue', (f) => Object.assign(f, { queued: 1 }), 'queue'],
    ['a dead letter', (f) => Object.assign(f, { deadLetters: 1 }), 'dead letter'],
    ['an order its shopper cannot see', (f) => f.unseen.push('o1'), 'cannot see: o1'],
    ['a page that shows units that are gone', (f) => Object.assign(f, { shownLeft: 3 }), 'shows 3 left'],
    ['a refusal with the wrong number', (f) => Object.assign(f, { refusedWithLeft: 1 }), 'answered that 1'],
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
