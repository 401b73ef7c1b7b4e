/** The bill of an order above its button and once it is paid, and the words on the button. */
import { describe, expect, it } from 'vitest'
import type { OrderView } from '../../../core/api/shop.ts'
import { stageOf } from '../../../core/orders/order-stage.ts'
import { isBilledFirst, isTotalOpen, readBilledOrder } from '../../../static/orders/bill.ts'
import { drawOrder } from '../../../static/orders/order-view.ts'
import { orderWork } from '../../../static/orders/order-work.ts'
import { ordersMessages } from '../../../templates/messages/catalogues.ts'
import { words } from '../../../templates/messages/text.ts'
import { voiceIn } from '../../../web/voice.ts'
import { orderJson, orderWith } from '../orders/order.ts'
import { Drawn, drawnBy } from './drawn.ts'

const card = {
  ...{ image: undefined, isCoupon: false },
  titleIn: () => 'Steinzeugbecher',
  variantsIn: () => new Map<string, string>(),
}
const press = () => undefined
const handlers = {
  pay: press,
  'give-back': press,
  'change-address': press,
  'erase-address': press,
}

function draw(order: OrderView, language = 'de'): Drawn {
  const voice = voiceIn(ordersMessages, language)
  const stage = stageOf(order, orderJson.reservedAt)
  if (stage === undefined) throw new Error('the order has a stage')
  const work = { doing: undefined, trouble: undefined, waitSeconds: undefined, address: undefined }
  const drawn = drawnBy(() => drawOrder(voice, { order, card, stage, now: orderJson.reservedAt, ...work }, handlers))
  if (drawn === undefined) throw new Error('an order is drawn')
  return drawn
}

const billed = (change: Partial<OrderView> = {}): OrderView => ({
  ...orderWith(),
  bill: { goods: 3980, delivery: 490, total: 4470 },
  ...change,
})

/** The lines of the bill that is drawn, without the part of their ids that all have. */
const linesOf = (drawn: Drawn): [string, string][] =>
  (drawn.of('bill')?.all() ?? []).flatMap(({ tag, attributes, text }) =>
    tag === 'dd' ? [[attributes.id?.replace('bill-', '') ?? '', text]] : [],
  )

describe('the bill of an order that can be paid', () => {
  it('says goods, delivery and total above the button', () => {
    expect(linesOf(draw(billed()))).toEqual([
      ['goods', 'Steinzeugbecher · Menge 2 · 39,80 €'],
      ['delivery', '4,90 €'],
      ['total', '44,70 €'],
    ])
  })

  it('ends with what went back of it, once, and not where all is back, which the title says', () => {
    const back = (change: Partial<OrderView>) =>
      draw(billed({ status: 'shipped', payment: 'succeeded', refundedAmount: 500, ...change }))
    expect(linesOf(back({})).at(-1)).toEqual(['order-refunded', '5,00 €'])
    const ids = (drawn: Drawn) => drawn.all().filter(({ attributes }) => attributes.id === 'order-refunded').length
    expect([ids(back({})), ids(back({ refund: 'refunded' })), ids(back({ bill: undefined }))]).toEqual([1, 0, 1])
  })

  it('says that delivery costs nothing, or that its cost depends on the address', () => {
    const withDelivery = (delivery: number | null) => ({ goods: 3980, delivery, total: 3980 }) as const
    const saidOf = (delivery: number | null) => {
      const drawn = draw({ ...orderWith(), bill: withDelivery(delivery) })
      const names = drawn
        .of('bill')
        ?.all()
        .filter(({ tag }) => tag === 'dt')
      return [drawn.of('bill-delivery')?.text, drawn.of('bill-total')?.text, names?.at(-1)?.text]
    }
    const name = (key: 'bill.total' | 'bill.subtotal') => words(ordersMessages[key], 'de')
    expect(saidOf(0)).toEqual(['Kostenlos', '39,80 €', name('bill.total')])
    expect(saidOf(null)).toEqual(['Je nach Ihrer Adresse', '39,80 €', name('bill.subtotal')])
  })

  it.each(['missing', 'stored', undefined] as const)(
    'stands directly above its button, with its address %s',
    (delivery) => {
      const parts = draw(billed({ ...(delivery && { delivery }) })).parts.filter((part) => part instanceof Drawn)
      const bill = parts.findIndex(({ attributes }) => attributes.id === 'bill')
      expect(parts[bill + 1]?.of('pay')).toBeDefined()
      expect(bill).toBeGreaterThan(0)
    },
  )
})

describe('the button that orders', () => {
  it.each([
    ['en', 'Order with obligation to pay'],
    ['de', 'zahlungspflichtig bestellen'],
    ['fr', 'commande avec obligation de paiement'],
    ['zh-CN', '提交订单并付款'],
  ])('has in %s the words “%s” alone, with a bill and without (Directive 2011/83/EU Art. 8(2))', (language, text) => {
    expect(draw(billed(), language).of('pay')?.text).toBe(text)
    expect(draw(orderWith(), language).of('pay')?.text).toBe(text)
  })

  it('asks for the address first, and rests until the total with its delivery is read', () => {
    const asking = draw(billed({ delivery: 'missing' })).of('pay')
    expect(asking?.text).toBe(words(ordersMessages['bill.addressNext'], 'de'))
    const bill = { goods: 3980, delivery: null, total: 3980 } as const
    const resting = { ...orderWith(), bill, delivery: 'stored' } as const
    expect(draw(resting).of('pay')?.attributes['aria-disabled']).toBe('true')
    expect(draw(billed({ delivery: 'stored' })).of('pay')?.attributes['aria-disabled']).toBe('false')
    expect([isTotalOpen(resting), isTotalOpen(billed({ delivery: 'stored' }))]).toEqual([true, false])
  })

  it('orders nothing while that total is not read', () => {
    const bill = { goods: 3980, delivery: null, total: 3980 } as const
    const asked: unknown[] = []
    const ports = {
      voice: voiceIn(ordersMessages, 'de'),
      fetch: async (...call: unknown[]) => {
        asked.push(call)
        return new Response('{}', { status: 503 })
      },
      onStale: press,
    }
    const shown = (order: OrderView) => ({ order: () => order, take: () => false, draw: press })
    orderWork(ports, card, shown({ ...orderWith(), bill, delivery: 'stored' })).handlers.pay()
    expect(asked).toEqual([])
  })
})

it('an order whose bill the shopper must see before each payment is one that costs more than its goods, or may do so', () => {
  const bill = { goods: 3980, delivery: 0, total: 3980 } as const
  expect(isBilledFirst({ bill: { ...bill, delivery: 490, total: 4470 } })).toBe(true)
  expect(isBilledFirst({ bill: { ...bill, delivery: null } })).toBe(true)
  expect(isBilledFirst({ bill })).toBe(false)
  expect(isBilledFirst({})).toBe(false)
})

it('what the page reads of an answer is the whole bill', () => {
  const { bill } = billed()
  expect(readBilledOrder({ ...orderJson, bill })).toMatchObject({ bill })
})
