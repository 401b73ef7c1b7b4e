import { describe, expect, it } from 'vitest'
import type { OrderId, SaleId, ShopperId } from '../../../../core/ids.ts'
import { checkEvent } from '../../../../proof/described-api.ts'
import { aSale } from '../../../../test/redis/support.ts'
import { eventPayload, type OrderWithSteps, orderEvents, type ShopEvent, saleEvents } from '../../core/event.ts'
import { afterTry, type PendingEvents, retryDelaysMs, withNewEvents, withReplayed } from '../../core/pending-events.ts'
import { newSaleSteps } from '../../core/sale-steps.ts'

const orderId = 'mug-abcdefghijklmnopqrstuvwxyz' as OrderId
const base = {
  orderId,
  saleId: 'mug' as SaleId,
  shopperId: 'ann' as ShopperId,
  ...{ quantity: 2, amount: 4800, currency: 'EUR' },
}

const checkPayload = (event: ShopEvent) => checkEvent(JSON.stringify(eventPayload(event)))

/** An order whose history has these steps, each `<what> <status>`, a second apart. */
const orderOf = (...steps: string[]): OrderWithSteps => ({
  ...base,
  steps: steps.map((step, index) => {
    const [what = '', status = ''] = step.split(' ')
    return { at: index * 1000, what, status }
  }),
})
const written = ['reserved reserved', 'written awaiting-payment']
const paid = [...written, 'payment-succeeded paid']
const cancelled = [...written, 'payment-window-over cancelled']

describe('the event of the newest step of an order', () => {
  it.each<[string, string[]]>([
    ['order.reserved', written],
    ['order.confirmed', ['reserved reserved', 'written fulfilled']],
    ['order.paid', paid],
    ['order.cancelled', cancelled],
    ['order.cancelled', [...written, 'cancelled-by-shopper cancelled']],
    ['order.cancelled', [...paid, 'refunded-by-marketer refund-due']],
    ['order.refunded', [...paid, 'refund-succeeded refunded']],
    ['order.refunded', [...paid, 'shipped shipped', 'refund-succeeded shipped']],
    ['order.refunded', [...paid, 'refunded-by-marketer refund-due', 'refund-settled refunded']],
    ['order.paid', [...written, 'payment-started awaiting-payment', 'confirmed-by-shop paid']],
    ['order.cancelled', [...written, 'payment-started awaiting-payment', 'released-by-shop cancelled']],
    ['order.refunded', [...written, 'confirmed-by-shop paid', 'released-by-shop refunded']],
    ['order.shipped', [...paid, 'shipped shipped']],
    ['order.disputed', [...paid, 'payment-disputed paid']],
  ])('is %s, as the API describes it', (type, steps) => {
    const events = orderEvents(orderOf(...steps))
    expect(events).toMatchObject([{ type, id: `${orderId}_${steps.length}`, number: steps.length, subject: orderId }])
    events.forEach(checkPayload)
  })

  it.each([
    ['an attempt to pay', [...written, 'payment-started awaiting-payment']],
    ['money for a cancelled order', [...cancelled, 'payment-succeeded refund-due']],
    ['a corrected shipment', [...paid, 'shipped shipped', 'shipped shipped']],
    [
      'the refund of a shipped order that is only asked for',
      [...paid, 'shipped shipped', 'refunded-by-marketer shipped'],
    ],
    ['a part of the money', [...paid, 'money-returned paid']],
    ['a rejected reservation', ['reserved reserved', 'rejected rejected']],
    ['a word of a later version', [...paid, 'gift-wrapped paid']],
    ['the name of a member of every object', [...paid, 'constructor paid']],
  ])('is missing for %s', (_, steps) => {
    expect(orderEvents(orderOf(...steps))).toEqual([])
  })

  it('says how many units are on sale again: those that the order had until then', () => {
    const returned = (...steps: string[]) => orderEvents(orderOf(...steps)).map(({ data }) => data.unitsReturned)
    expect(returned(...cancelled)).toEqual([2])
    expect(returned(...paid, 'refunded-by-marketer refund-due')).toEqual([2])
    expect(returned(...paid, 'refunded-by-marketer refund-due', 'refund-succeeded refunded')).toEqual([0])
    // The provider has refunded it on its own.
    expect(returned(...paid, 'refund-succeeded refunded')).toEqual([2])
    expect(returned(...paid, 'shipped shipped', 'refund-succeeded shipped')).toEqual([0])
    expect(returned(...paid)).toEqual([undefined])
  })

  it('are all of one write, in their order', () => {
    const order = orderOf(...paid, 'payment-disputed paid', 'refund-succeeded refunded')
    const steps = order.steps.map((step, index) => (index >= 3 ? { ...step, at: 9000 } : step))
    expect(orderEvents({ ...order, steps }).map(({ type, number }) => [type, number])).toEqual([
      ['order.disputed', 4],
      ['order.refunded', 5],
    ])
  })

  it('has money and units, and no personal data but the id', () => {
    const [event] = orderEvents(orderOf(...paid))
    if (event === undefined) throw new Error('there is an event')
    expect(eventPayload(event)).toEqual({
      type: 'order.paid',
      timestamp: '1970-01-01T00:00:02.000Z',
      data: { ...base, status: 'paid', revision: 3 },
    })
  })
})

describe('the steps of a sale', () => {
  const now = 1_000_000
  const sale = aSale({ warmed: true, flag: 'on', epoch: 1, startsAt: now - 10_000, endsAt: now + 10_000 })
  const words = (known: Parameters<typeof newSaleSteps>[0], available: number, at = now, soldOut = -1) =>
    newSaleSteps(known, sale, { available, soldOut, soldOutBefore: -1 }, at).map(({ what }) => what)
  const opened = { what: 'opened', windowIndex: 0, soldOutBefore: -1 } as const
  const soldOut = { what: 'sold-out', windowIndex: 0 } as const

  it('are each recorded once in a window', () => {
    expect(words([], 5)).toEqual(['opened'])
    expect(words([opened], 5)).toEqual([])
    expect(words([opened], 0)).toEqual(['sold-out'])
    expect(words([opened, soldOut], 3)).toEqual([])
    expect(words([opened, soldOut], 0)).toEqual([])
    expect(words([{ ...opened, windowIndex: 1 }], 5)).toEqual(['opened'])
  })

  it('become events as the API describes them, including those of its stock', () => {
    const steps = [
      { what: 'opened', windowIndex: 0, at: now, soldOutBefore: -1 },
      { what: 'sold-out', windowIndex: 0, at: now },
      { what: 'ended', windowIndex: 0, at: now },
      { what: 'stock-taken', windowIndex: 0, at: now, quantity: 5, units: { m: 2, s: 3 } },
      { what: 'stock-returned', windowIndex: 0, at: now, quantity: 1 },
    ] as const
    const events = saleEvents(base.saleId, steps)
    expect(events).toHaveLength(steps.length)
    events.forEach(checkPayload)
  })

  it('begin with its opening, also when it sold out within a second', () => {
    expect(words([], 0)).toEqual(['opened', 'sold-out'])
  })

  it('include that it sold out, also when units came back before a reading', () => {
    expect(words([opened], 2, now, 0)).toEqual(['sold-out'])
    expect(words([], 2, now, 0)).toEqual(['opened', 'sold-out'])
    expect(words([opened, soldOut], 2, now, 1)).toEqual([])
    // That was in a former window, or is not known.
    expect(words([{ ...opened, soldOutBefore: 3 }], 2, now, 3)).toEqual([])
    expect(words([{ what: 'opened', windowIndex: 0 }], 2, now, 3)).toEqual([])
  })

  it('end with its end, which is not reported an hour later', () => {
    expect(words([opened], -1, sale.endsAt)).toEqual(['ended'])
    expect(words([opened], -1, sale.endsAt + 3_600_000)).toEqual(['ended'])
    expect(words([opened], -1, sale.endsAt + 3_600_001)).toEqual([])
  })

  it('are none before it opens', () => {
    expect(words([], 5, sale.startsAt - 1)).toEqual([])
  })
})

describe('pending events', () => {
  const [first, second] = [...orderEvents(orderOf(...written)), ...orderEvents(orderOf(...paid))]
  if (first === undefined || second === undefined) throw new Error('there are two')
  const both = withNewEvents(withNewEvents(undefined, [first], 0)?.pending, [second], 0)?.pending as PendingEvents

  it('are added once, even if the stream repeats a change', () => {
    expect(both.events.map(({ number }) => number)).toEqual([2, 3])
    expect(withNewEvents(both, [first], 0)).toBeUndefined()
    const { pending } = afterTry(afterTry(both, { status: 204 }, 1, 0).pending, { status: 204 }, 2, 0)
    expect(pending.events).toEqual([])
    expect(withNewEvents(pending, [first, second], 3)).toBeUndefined()
  })

  it('continue with the next one right after a delivery, with all its tries', () => {
    const failed = afterTry(both, { status: 500 }, 1000, 0.5).pending
    const { pending, finished } = afterTry(failed, { status: 200 }, 7000, 0.5)
    expect(finished).toMatchObject({ state: 'delivered', tries: 2, status: 200, at: 7000, event: first })
    expect(pending).toMatchObject({ events: [second], tries: 0, nextAt: 7000, status: undefined })
  })

  it.each([{ status: 301 }, { status: 404 }, { status: 500 }, { failure: 'it does not answer' }])(
    'are tried again after %o, the same event first',
    (answer) => {
      const { pending, finished } = afterTry(both, answer, 1000, 0.5)
      expect(finished).toBeUndefined()
      expect(pending).toMatchObject({ events: [first, second], tries: 1, nextAt: 6000, ...answer })
    },
  )

  it('are tried ten times in three days and four hours, then dead-lettered, and the next one follows', () => {
    let left = both
    let now = 0
    for (const delay of retryDelaysMs) {
      left = afterTry(left, { status: 503 }, now, 0.5).pending
      expect(left.nextAt - now).toBe(delay)
      now = left.nextAt
    }
    expect(now / 3_600_000).toBeCloseTo(75.6, 1)
    const { pending, finished } = afterTry(left, { status: 503 }, now, 0.5)
    expect(finished).toMatchObject({ state: 'dead', tries: 10, status: 503, event: first })
    expect(pending).toMatchObject({ events: [second], tries: 0, nextAt: now })
  })

  it('are tried up to a fifth earlier or later than that', () => {
    const pauseWith = (random: number) => afterTry(both, { status: 500 }, 0, random).pending.nextAt
    expect([pauseWith(0), pauseWith(1)]).toEqual([4000, 6000])
  })

  it('include an event to resend, unless it is already pending', () => {
    expect(withReplayed(both, first, 0)).toBeUndefined()
    const { pending } = afterTry(both, { status: 204 }, 1, 0)
    expect(withReplayed(pending, first, 5)?.pending.events).toEqual([second, first])
    expect(withReplayed(undefined, second, 5)?.pending).toMatchObject({ events: [second], lastNumber: 3, nextAt: 5 })
  })
})
