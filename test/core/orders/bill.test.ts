/** What an order costs and includes, exact to the minor unit. */
import { describe, expect, it } from 'vitest'
import { type BillTerms, deliveryCostOf, orderBillOf, taxIn } from '../../../core/orders/bill.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'

const terms: BillTerms = { market: 'DE', taxPercent: 19 }
const waiting = { amount: 3980, status: 'awaiting-payment' } as const

describe('the tax in an amount', () => {
  it.each([
    [119, 19, 19],
    [100, 19, 16],
    [1, 19, 0],
    // 0.5 of a minor unit is one.
    [3, 20, 1],
    [1000, 5.5, 52],
    [12_345, 8.25, 941],
    [100, 0, 0],
    [2, 100, 1],
    [100_000_000_000_000, 20, 16_666_666_666_667],
  ])('of %i with %d %% is %i', (gross, percent, tax) => {
    expect(taxIn(gross, percent)).toBe(tax)
  })

  it('adds up with the net amount, to the cent, over 100,000 orders', () => {
    const random = openRandom(Number(process.env.FC_SEED ?? 7))
    const sums = { net: 0n, tax: 0n, goods: 0n, delivery: 0n, total: 0n }
    for (let order = 0; order < 100_000; order += 1) {
      const amount = random.whole(1, 1_000_000_000)
      const rate = random.whole(0, 10_000)
      const costs = { DE: random.whole(0, 10_000) }
      const bill = orderBillOf(
        { ...waiting, amount },
        { ...terms, taxPercent: rate / 100, delivery: { countries: ['DE'], costs } },
        'DE',
      )
      const { net = -1, tax = -1, goods = -1, delivery, total = -1 } = bill ?? {}
      const [gross, percent] = [BigInt(total), BigInt(rate)]
      // Half a minor unit up, in exact arithmetic.
      const exact = (2n * gross * percent + 10_000n + percent) / (2n * (10_000n + percent))
      if (BigInt(tax) !== exact || net + tax !== total) throw new Error(`${total} with ${rate / 100} % has ${tax}`)
      sums.net += BigInt(net)
      sums.tax += BigInt(tax)
      sums.goods += BigInt(goods)
      sums.delivery += BigInt(delivery ?? -1)
      sums.total += gross
    }
    expect(sums.net + sums.tax).toBe(sums.total)
    expect(sums.goods + sums.delivery).toBe(sums.total)
  })
})

describe('the cost of delivery', () => {
  const delivery = { countries: ['DE', 'CH'], costs: { DE: 490, CH: 1200 }, freeAbove: 5000 }

  it('is that of the country, and unknown without one', () => {
    expect([
      deliveryCostOf(4999, delivery, 'DE'),
      deliveryCostOf(4999, delivery, 'CH'),
      deliveryCostOf(4999, delivery, undefined),
    ]).toEqual([490, 1200, null])
  })

  it('is nothing from the amount on that is delivered free, and where the sale charges nothing', () => {
    expect([
      deliveryCostOf(5000, delivery, undefined),
      deliveryCostOf(1, { countries: ['DE'] }, 'DE'),
      deliveryCostOf(1, undefined, undefined),
    ]).toEqual([0, 0, 0])
  })
})

describe('a bill', () => {
  const delivery = { countries: ['DE', 'CH'], costs: { DE: 490, CH: 1200 } }

  it('is there only where the sale says something of market, tax or delivery, and something is paid', () => {
    expect(orderBillOf(waiting, { market: 'other' }, 'DE')).toBeUndefined()
    expect(orderBillOf({ ...waiting, amount: 0 }, terms, 'DE')).toBeUndefined()
    expect(orderBillOf(waiting, { market: 'US' }, undefined)).toEqual({
      ...{ market: 'US', goods: 3980, delivery: 0, total: 3980 },
    })
  })

  it('says why its goods cannot be sent back, where the sale names a reason', () => {
    const of = (withdrawalException: BillTerms['withdrawalException']) =>
      orderBillOf(waiting, { ...terms, withdrawalException }, 'DE')
    expect(of('custom')).toMatchObject({ withdrawalException: 'custom' })
    expect(of('none')).not.toHaveProperty('withdrawalException')
  })

  it('follows the country until a payment is started, and keeps then what is paid', () => {
    const all = { ...terms, delivery }
    expect(orderBillOf(waiting, all, undefined)).toMatchObject({ delivery: null, total: 3980 })
    expect(orderBillOf(waiting, all, 'CH')).toEqual({
      ...{ market: 'DE', goods: 3980, delivery: 1200, total: 5180 },
      ...{ taxPercent: 19, net: 4353, tax: 827 },
    })
    const payment = { paymentId: 'x.1', attempt: 1, startedAt: 1, state: 'started' } as const
    const started = { ...waiting, amount: 4470, deliveryCost: 490, payment }
    expect(orderBillOf(started, all, 'CH')).toMatchObject({ goods: 3980, delivery: 490, total: 4470 })
    const failed = { ...started, payment: { ...payment, state: 'failed' as const } }
    expect(orderBillOf(failed, all, 'CH')).toMatchObject({ goods: 3980, delivery: 1200, total: 5180 })
  })
})
