import { describe, expect, it } from 'vitest'
import { orderStatuses } from '../../../core/orders/order.ts'
import { transitions } from '../../../core/orders/order-life.ts'
import { kindsByStep, mailDueFor } from '../../../functions/people/mail-due.ts'
import { anOrder, at, changesIn, orderId, recordOfOrder, shopperId, stepped } from './mail-rig.ts'

/** The email about the last step of `order`. */
function dueFor(order: ReturnType<typeof anOrder>, now = at) {
  const [change] = changesIn(recordOfOrder(order))
  if (change?.kind !== 'order') throw new Error('the record is not of an order')
  return mailDueFor(change.order, now)
}

const waiting = anOrder()
const reserved = { at, what: 'reserved', status: 'reserved' } as const
const paid = stepped(waiting, 'payment-succeeded', 'paid')

describe('the email that is due', () => {
  it.each([
    ['payment-due', waiting],
    ['confirmed', paid],
    ['cancelled', stepped(waiting, 'payment-window-over', 'cancelled', { reason: 'unpaid' })],
    ['cancelled', stepped(waiting, 'cancelled-by-shopper', 'cancelled', { reason: 'by-shopper' })],
    ['cancelled', stepped(paid, 'refunded-by-marketer', 'refund-due', { reason: 'by-marketer' })],
    ['refunded', stepped(paid, 'refund-succeeded', 'refunded')],
    ['refunded', stepped(paid, 'money-returned', 'paid')],
    [undefined, stepped(waiting, 'payment-started', 'awaiting-payment')],
    [undefined, stepped(waiting, 'payment-failed', 'awaiting-payment')],
    [undefined, stepped(paid, 'payment-disputed', 'paid')],
    // Money that came too late goes back, and the refund has an email of its own.
    [undefined, stepped(waiting, 'payment-succeeded', 'refund-due')],
    [undefined, stepped(paid, 'redeemed', 'fulfilled')],
    [undefined, stepped(paid, 'redemption-undone', 'fulfilled')],
    [undefined, stepped(waiting, 'a word of tomorrow', 'paid')],
    [undefined, stepped(waiting, 'constructor', 'paid')],
  ])('is %s', (kind, order) => {
    expect(dueFor(order)?.kind).toBe(kind)
  })

  it('confirms a free order when it is written', () => {
    const history = [reserved, { at, what: 'written', status: 'fulfilled' as const }]
    const free = anOrder({ amount: 0, status: 'fulfilled', coupons: [], history })
    expect(dueFor(free)).toMatchObject({ kind: 'confirmed', hasCodes: true, amount: 0 })
  })

  it('says why a reservation never became an order', () => {
    const history = [reserved, { at, what: 'rejected', status: 'rejected' as const }]
    const rejected = anOrder({ status: 'rejected', reason: 'over-cap', history })
    expect(dueFor(rejected)).toMatchObject({ kind: 'cancelled', reason: 'over-cap', isRefundDue: false })
  })

  it('names order, shopper and money, and nothing of the address', () => {
    const { payBy } = waiting
    expect(dueFor(waiting)).toEqual({
      ...{ kind: 'payment-due', orderId, saleId: 'stoneware-mug', shopperId, payBy },
      ...{ quantity: 2, amount: 4800, currency: 'EUR' },
    })
  })

  it('asks for no payment when the time for it is over', () => {
    expect(dueFor(waiting, waiting.payBy - 1)?.kind).toBe('payment-due')
    expect(dueFor(waiting, waiting.payBy)).toBeUndefined()
  })

  it('adds up what has gone back of each currency', () => {
    const refunds = [
      { paymentId: 'a', amount: 4800, currency: 'EUR', returned: 1000 },
      { paymentId: 'b', amount: 0, currency: 'EUR', returned: 50 },
      { paymentId: 'c', amount: 70, currency: 'CNY', returned: 70 },
      { paymentId: 'd', amount: 90, currency: 'USD', returned: 0 },
    ]
    expect(dueFor(stepped(paid, 'money-returned', 'paid', { refunds }))).toMatchObject({
      returned: [
        { amount: 1050, currency: 'EUR' },
        { amount: 70, currency: 'CNY' },
      ],
    })
  })

  it('knows a shipped order, with its carrier and the number there', () => {
    const order = {
      ...{ orderId, saleId: waiting.saleId, shopperId, quantity: 1, amount: 10, currency: 'EUR', payBy: at },
      ...{ status: 'shipped', what: 'shipped', revision: 4, hasCodes: false },
    }
    const shipment = { carrier: 'DHL', tracking: '00340434' }
    expect(mailDueFor({ ...order, shipment }, at)).toMatchObject({ kind: 'shipped', shipment })
    expect(mailDueFor(order, at)).toMatchObject({ kind: 'shipped', shipment: undefined })
    expect(mailDueFor({ ...order, what: 'delivered', status: 'delivered' }, at)).toBeUndefined()
  })
})

describe('the table of emails', () => {
  const words = new Set([
    ...Object.keys(transitions),
    ...['reserved', 'written', 'rejected', 'other-money-received', 'money-returned', 'shipped', 'delivered'],
  ])
  const statuses = new Set<string>([...orderStatuses, 'shipped', 'delivered'])

  it('has words of a history and statuses only', () => {
    for (const [word, byStatus] of Object.entries(kindsByStep)) {
      expect(words, word).toContain(word)
      for (const status of Object.keys(byStatus)) expect(statuses, status).toContain(status)
    }
  })

  it('has an email for every step that ends an order', () => {
    const ends = ['cancelled', 'refunded']
    for (const [word, steps] of Object.entries(transitions)) {
      for (const status of Object.values(steps)) {
        // The shop that took the money writes itself.
        if (word === 'released-by-shop') expect(kindsByStep[word]).toBeUndefined()
        else if (ends.includes(status)) expect(kindsByStep[word]?.[status], `${word} to ${status}`).toBeDefined()
      }
    }
  })
})
