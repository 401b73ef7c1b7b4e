/** The effects that an action announces before it runs. */

import { describe, expect, it } from 'vitest'
import { pauseAllEffects } from '../../../console/list/pause-all.ts'
import {
  blockEffects,
  leftEffects,
  nothingToRefund,
  orderEffects,
  refundEffects,
  refundKeys,
  stockEffect,
} from '../../../console/sale/effects.ts'
import type { FoundOrder, Live } from '../../../core/api/control-answers.ts'
import { parseOrderId, parseShopperId } from '../../../core/ids.ts'
import { orderStatuses } from '../../../core/orders/order.ts'
import { aLive, rain, sale } from '../../core/api/live-answer.ts'
import { voice, voiceIn } from '../voices.ts'

const shopperId = parseShopperId('ann')
const orderId = parseOrderId(`mug-${'a'.repeat(26)}`)
if (shopperId === undefined || orderId === undefined) throw new Error('no valid ids')

const sizes = [
  { id: 's', name: 'Small', stock: 40 },
  { id: 'm', name: 'Medium', stock: 60 },
]
const live = (change: Partial<Live> = {}): Live => ({ ...aLive, ...change })
const withSizes = live({
  sale: { ...sale, variants: sizes },
  variants: { s: { total: 40, left: 3, booked: 37 }, m: { total: 60, left: 57, booked: 3 } },
})

describe('a change of the stock says', () => {
  const unknown = live({ stock: null })
  const { variants: _, ...sizesUnknown } = { ...withSizes, stock: null }

  it.each<[string, Live, Parameters<typeof stockEffect>[2], string | RegExp]>([
    ['the units before and after', live(), { delta: 10 }, '100 → 110 units in total.'],
    ['the units before and after a removal', live(), { delta: -60 }, /^100 → 40 units/],
    [
      ...(['that units which are reserved cannot be removed', live(), { delta: -61 }] as const),
      'Only 60 units are left: the others are reserved and cannot be removed.',
    ],
    ['the units of the chosen variant (N1)', withSizes, { delta: 5, variant: 's' }, /^Small: 40 → 45 units/],
    ['what is left of the chosen variant (N1)', withSizes, { delta: -4, variant: 's' }, /^Only 3 units are left/],
    ['the removal from the chosen variant (N1)', withSizes, { delta: -4, variant: 'm' }, /^Medium: 60 → 56/],
    ['the units while Redis does not answer', unknown, { delta: 5 }, '100 → 105 units in total.'],
    [
      ...(['what is not known while Redis does not answer', unknown, { delta: -99 }] as const),
      '100 → 1 unit in total, unless these are reserved: what is left isn’t known right now.',
    ],
    [
      ...(['no total below zero then', unknown, { delta: -110 }] as const),
      'There are only 100 units in total: more cannot be removed.',
    ],
    [
      ...(['no total of a variant below zero then', sizesUnknown, { delta: -41, variant: 's' }] as const),
      'There are only 40 units in total: more cannot be removed.',
    ],
  ])('%s', (_name, seen, change, effect) => {
    expect(stockEffect(voice, seen, change)).toEqual(
      typeof effect === 'string' ? effect : expect.stringMatching(effect),
    )
  })
})

it('a pause or an end says what is left, and which orders can still be paid', () => {
  expect(leftEffects(voice, live())).toEqual([
    '60 units are left.',
    '18 orders not paid yet can still be paid in time.',
  ])
  expect(leftEffects(voice, live({ sale: rain, paid: null }))).toEqual(['60 red packets are left.'])
  expect(leftEffects(voice, live({ stock: null, paid: null }))).toEqual([])
})

it('in Chinese the effects of an action are said with measure words', () => {
  expect(leftEffects(voiceIn('zh-CN'), live())[0]).toContain('剩余 60 件')
  expect(voiceIn('zh-CN').t('effect.rebuild', { orders: 0, units: 0 })).toContain('现有 0 笔订单，共 0 份')
})

const order: FoundOrder = {
  ...{ orderId, saleId: sale.saleId, shopperId, quantity: 2, amount: 980, currency: 'EUR' },
  ...{ status: 'paid', reservedAt: 1, writtenAt: 2, payBy: null, refunds: [], history: [] },
  payment: { paymentId: 'pay-1', attempt: 1, startedAt: 3, state: 'succeeded' },
}
/** The order when `returned` of the `amount` owed has gone back. */
const withRefund = (amount: number, returned: number): FoundOrder => ({
  ...order,
  refunds: [{ paymentId: 'pay-1', amount, currency: 'EUR', returned }],
})
const card = { title: 'Mug', variants: new Map([['s', 'Small']]) }

describe('a refund says', () => {
  it('what was bought, that its money goes back, and that its units do', () => {
    expect(refundEffects(voice, 'goods', order, card)).toEqual([
      '\u2068Mug\u2069: 2 units · 980 EUR · Paid',
      `Order number ${orderId}`,
      '980 EUR will be refunded to the shopper.',
      '2 units return to stock.',
      'This can’t be undone.',
    ])
    expect(refundEffects(voice, 'goods', { ...order, quantity: 2, variant: 's' }, card)[0]).toBe(
      '\u2068Mug\u2069: 2 × Small · 980 EUR · Paid',
    )
  })

  it('that an unpaid order is only cancelled, and that shipped units stay sold', () => {
    const unpaid = refundEffects(voice, 'goods', { ...order, status: 'awaiting-payment' }, card)
    expect(unpaid).toContain('The order is cancelled. There is nothing to refund.')
    const shipped = refundEffects(voice, 'goods', { ...order, status: 'shipped', quantity: 1 }, card)
    expect(shipped).toContain('1 unit was shipped and will not be sold again.')
    expect(shipped).toContain('980 EUR will be refunded to the shopper.')
  })

  it('of an order without money to return that it is cancelled, not refunded', () => {
    expect(refundKeys(order)).toEqual({ ask: 'ask.refund', act: 'refund.do' })
    const unpaid = refundKeys({ ...order, status: 'awaiting-payment' })
    expect(unpaid).toEqual({ ask: 'ask.cancelOrder', act: 'refund.cancel' })
    expect(voice.t(unpaid.act)).toBe('Cancel order')
  })

  it('that coupons become void', () => {
    const coupon = { ...order, amount: 0, status: 'fulfilled' as const }
    expect(refundEffects(voice, 'coupon', coupon, card).join(' ')).toMatch(
      /codes become void.*2 coupons return to stock/,
    )
  })

  it('only the money that the provider has not returned on its own (O9)', () => {
    const text = refundEffects(voice, 'goods', withRefund(0, 400), card)
    expect(text).toContain('580 EUR will be refunded to the shopper.')
    expect(text.join(' ')).not.toContain('980 EUR go')
  })

  it('nothing of an order that has no units any more, and of a shipped one that was free', () => {
    const over = orderStatuses.filter((status) => nothingToRefund(voice, { ...order, status }) !== undefined)
    expect(over).toEqual(['cancelled', 'rejected', 'refund-due', 'refunded'])
    expect(nothingToRefund(voice, { ...order, status: 'shipped', amount: 0 })).toBe(
      'Nothing to do: this order is “Shipped”.',
    )
  })

  it('that a shipped order is not refunded twice (O9)', () => {
    const already = 'This order is already refunded, or its refund is in progress: the shopper is not refunded again.'
    for (const returned of [0, 400, 980]) {
      expect(nothingToRefund(voice, { ...withRefund(980, returned), status: 'shipped' })).toBe(already)
    }
    expect(nothingToRefund(voice, { ...withRefund(0, 400), status: 'shipped' })).toBeUndefined()
  })
})

describe('an order by hand says', () => {
  it('what it costs, what it leaves, and how long it can be paid', () => {
    const priced = live({ sale: { ...sale, price: 490, paymentWindowSeconds: 900 } })
    expect(orderEffects(voice, priced, { shopperId, quantity: 2 })).toEqual([
      'ann: 2 units · 980 EUR',
      '60 → 58 left.',
      'The shopper has 15 min to pay; otherwise the units return to stock.',
    ])
  })

  it('the variant, and no payment of what is free', () => {
    const free = { ...withSizes, sale: { ...withSizes.sale, price: 0 } }
    expect(orderEffects(voice, free, { shopperId, quantity: 3, variant: 's' })).toEqual([
      'ann: 3 × Small · 0 EUR',
      '60 → 57 left.',
    ])
  })
})

it('a block says how many addresses it covers, and warns of a wide range', () => {
  expect(blockEffects(voice, { kind: 'shopper', value: 'ann' })).toHaveLength(1)
  expect(blockEffects(voice, { kind: 'ip', value: '203.0.113.7' })).toHaveLength(1)
  expect(blockEffects(voice, { kind: 'ip', value: '203.0.113.0/24' })[0]).toBe('256 addresses.')
  expect(blockEffects(voice, { kind: 'ip', value: '0.0.0.0/2' }).join(' ')).toMatch(
    /1,073,741,824 addresses.*honest shoppers/,
  )
})

it('the switch for all sales says how many sell, and how many would open by themselves', () => {
  const waits = { ...sale, startsAt: 5000, endsAt: 9000, epoch: 1, flag: 'on' as const }
  const open = { ...waits, startsAt: 1000 }
  const paused = { ...open, flag: 'paused' as const }
  expect(pauseAllEffects(voice, { sales: [waits, open, paused], isAll: true }, 2000)).toEqual([
    'Live: 1. Scheduled: 1.',
  ])
  expect(pauseAllEffects(voice, { sales: [open, open], isAll: false }, 2000)).toEqual([
    'Live: at least 2. Scheduled: at least 0.',
  ])
})
