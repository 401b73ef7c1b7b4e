/** What the law of a market demands of the page of an order: above its button, on its button, and once it is paid. */
import { describe, expect, it } from 'vitest'
import type { OrderView } from '../../../core/api/shop.ts'
import { stageOf } from '../../../core/orders/order-stage.ts'
import { type Market, marketRules, markets } from '../../../core/sale/market.ts'
import { voiceOf } from '../../../static/client/lib/voice.ts'
import { isBilledFirst } from '../../../static/client/orders/bill.ts'
import { drawOrder } from '../../../static/client/orders/order-view.ts'
import { orderWork } from '../../../static/client/orders/order-work.ts'
import { readOwnOrder } from '../../../static/client/orders/withdrawable.ts'
import { mailMessages, ordersMessages, withdrawMessages } from '../../../static/messages/catalogues.ts'
import { words } from '../../../static/messages/text.ts'
import { orderWith, told } from '../orders/order.ts'
import { Drawn, drawnBy } from './drawn.ts'

const withButton = ['EU', 'DE', 'AT', 'FR', 'UK'] as const

const card = {
  ...{ image: undefined, isCoupon: false },
  titleIn: () => 'Steinzeugbecher',
  variantsIn: () => new Map<string, string>(),
}
const press = () => undefined
const handlers = {
  pay: press,
  withdraw: press,
  'give-back': press,
  'change-address': press,
  'erase-address': press,
}

function draw(order: OrderView, language = 'de'): Drawn {
  const voice = voiceOf(ordersMessages, language)
  const stage = stageOf(order, told.reservedAt)
  if (stage === undefined) throw new Error('the order has a stage')
  const work = { doing: undefined, trouble: undefined, waitSeconds: undefined, address: undefined }
  const drawn = drawnBy(() => drawOrder(voice, { order, card, stage, now: told.reservedAt, ...work }, handlers))
  if (drawn === undefined) throw new Error('an order is drawn')
  return drawn
}

const billed = (market: Market, change: Partial<OrderView> = {}): OrderView => ({
  ...orderWith(),
  bill: { market, goods: 3980, delivery: 490, total: 4470, taxPercent: 19, net: 3756, tax: 714 },
  ...change,
})

/** The lines of the bill that is drawn, without the part of their ids that all have. */
const linesOf = (drawn: Drawn): [string, string][] =>
  (drawn.of('bill')?.all() ?? []).flatMap(({ tag, attributes, text }) =>
    tag === 'dd' ? [[attributes.id?.replace('bill-', '') ?? '', text]] : [],
  )

describe('the bill of an order that can be paid', () => {
  it.each(withButton)(
    'says goods, delivery, total, tax and term above the button, in %s (Directive 2011/83/EU Art. 8(2))',
    (market) => {
      expect(linesOf(draw(billed(market)))).toEqual([
        ['goods', 'Steinzeugbecher · Menge 2 · 39,80 €'],
        ['delivery', '4,90 €'],
        ['total', '44,70 €'],
        ['tax', '7,14 €'],
        ['term', 'Einmaliger Kauf: kein Abo, keine Mindestlaufzeit'],
      ])
    },
  )

  it.each(markets)('has each line that its market asks for, in %s', (market) => {
    const ids = linesOf(draw(billed(market))).map(([id]) => id)
    expect(ids).toEqual(expect.arrayContaining([...marketRules[market].orderLines, 'delivery']))
    expect(ids.includes('dispatch')).toBe(market === 'US')
  })

  it.each(markets)('calls the tax VAT where prices include it by law, in %s', (market) => {
    const key = marketRules[market].taxIncluded ? 'bill.vat' : 'bill.tax'
    const names = draw(billed(market)).of('bill')?.all() ?? []
    expect(names.filter(({ tag }) => tag === 'dt').map(({ text }) => text)).toContain(
      words(ordersMessages[key], 'de', { percent: '19' }).replaceAll('\u00a0', ' '),
    )
  })

  it('says in the US within which time the goods are sent (16 CFR 435.2)', () => {
    expect(new Map(linesOf(draw(billed('US'), 'en'))).get('dispatch')).toMatch(/30 days/)
  })

  it('says that delivery costs nothing, or that its cost depends on the address', () => {
    const withDelivery = (delivery: number | null) => ({ market: 'DE', goods: 3980, delivery, total: 3980 }) as const
    const saidOf = (delivery: number | null) => {
      const drawn = draw({ ...orderWith(), bill: withDelivery(delivery) })
      const names = drawn
        .of('bill')
        ?.all()
        .filter(({ tag }) => tag === 'dt')
      return [drawn.of('bill-delivery')?.text, drawn.of('bill-total')?.text, names?.at(-2)?.text]
    }
    const name = (key: 'bill.total' | 'bill.subtotal') => words(ordersMessages[key], 'de')
    expect(saidOf(0)).toEqual(['Kostenlos', '39,80 €', name('bill.total')])
    expect(saidOf(null)).toEqual(['Je nach Ihrer Adresse', '39,80 €', name('bill.subtotal')])
  })

  it('says why its goods cannot be sent back (Directive 2011/83/EU Art. 6(1)(k))', () => {
    const bill = {
      market: 'DE',
      goods: 3980,
      delivery: 0,
      total: 3980,
      withdrawalException: 'custom',
    } as const
    const drawn = draw({ ...orderWith(), bill })
    expect(drawn.of('bill-withdrawal')?.text).toBe(words(ordersMessages['withdrawal.exception.custom'], 'de'))
    expect(draw(billed('DE')).of('bill-withdrawal')).toBeUndefined()
  })

  it.each(['missing', 'stored', undefined] as const)(
    'stands directly above its button, with its address %s',
    (delivery) => {
      const parts = draw(billed('DE', { ...(delivery && { delivery }) })).parts.filter((part) => part instanceof Drawn)
      const bill = parts.findIndex(({ attributes }) => attributes.id === 'bill')
      expect(parts[bill + 1]?.of('pay')).toBeDefined()
      expect(bill).toBeGreaterThan(0)
    },
  )
})

describe('the button that orders', () => {
  it.each([
    ...withButton.map((market) => [market, 'zahlungspflichtig bestellen'] as const),
    ...(['US', 'CN', 'other'] as const).map((market) => [market, '39,80 € bezahlen'] as const),
  ])('has in %s the words “%s”', (market, text) => {
    expect(draw(billed(market)).of('pay')?.text).toBe(text)
  })

  it('asks for the address first, and rests until the total with its delivery is read', () => {
    const asking = draw(billed('DE', { delivery: 'missing' })).of('pay')
    expect(asking?.text).toBe(words(ordersMessages['bill.addressNext'], 'de'))
    const bill = { market: 'DE', goods: 3980, delivery: null, total: 3980 } as const
    const resting = { ...orderWith(), bill, delivery: 'stored' } as const
    expect(draw(resting).of('pay')?.attributes['aria-disabled']).toBe('true')
    expect(draw(billed('DE', { delivery: 'stored' })).of('pay')?.attributes['aria-disabled']).toBe('false')
  })

  it('orders nothing while that total is not read', () => {
    const bill = { market: 'DE', goods: 3980, delivery: null, total: 3980 } as const
    const asked: unknown[] = []
    const ports = {
      voice: voiceOf(ordersMessages, 'de'),
      fetch: async (...call: unknown[]) => {
        asked.push(call)
        return new Response('{}', { status: 503 })
      },
      doubt: press,
    }
    const shown = (order: OrderView) => ({ order: () => order, take: () => false, draw: press })
    orderWork(ports, card, shown({ ...orderWith(), bill, delivery: 'stored' })).handlers.pay()
    expect(asked).toEqual([])
  })
})

describe('an order whose bill the shopper must see before each payment', () => {
  const bill = { market: 'other', goods: 3980, delivery: 0, total: 3980 } as const

  it.each(markets)('is one with an order button of the law: %s', (market) => {
    expect(isBilledFirst({ bill: { ...bill, market } })).toBe(marketRules[market].orderButton === true)
  })

  it('is one that costs more than its goods, or may do so', () => {
    expect(isBilledFirst({ bill: { ...bill, delivery: 490, total: 4470 } })).toBe(true)
    expect(isBilledFirst({ bill: { ...bill, delivery: null } })).toBe(true)
    expect(isBilledFirst({})).toBe(false)
  })
})

describe('what the page reads of an answer', () => {
  it('is the whole bill, and until when it can be withdrawn from', () => {
    const { bill } = billed('DE')
    const answered = {
      ...told,
      bill: { ...bill, withdrawalException: 'hygiene' },
      withdrawableUntil: null,
      withdrawal: { quantity: 1, at: 2000 },
    }
    expect(readOwnOrder(answered)).toMatchObject(answered)
  })
})

describe('an order that is paid', () => {
  it.each(markets)('keeps its bill as a receipt with net and tax, in %s', (market) => {
    const paid = { ...billed(market), status: 'paid', payment: 'succeeded', payBy: null } as const
    const drawn = draw(paid)
    expect(drawn.of('bill-title')?.text).toBe('Zahlungsbeleg')
    expect(linesOf(drawn)).toEqual([
      ['goods', 'Steinzeugbecher · Menge 2 · 39,80 €'],
      ['delivery', '4,90 €'],
      ['total', '44,70 €'],
      ['tax', '7,14 €'],
      ['net', '37,56 €'],
    ])
  })

  const paid = { ...orderWith({ status: 'paid', payment: 'succeeded' }), payBy: null } as const

  it.each([null, told.payBy])(
    'has the function to withdraw as long as it is possible, to %s (Directive 2011/83/EU Art. 11a(1))',
    (withdrawableUntil) => {
      expect(draw({ ...paid, withdrawableUntil }).of('open-withdrawal')?.text).toBe('Vertrag widerrufen')
      expect(draw(paid).of('open-withdrawal')).toBeUndefined()
    },
  )

  it('says what was withdrawn from and when, and offers the rest', () => {
    const part = { ...paid, withdrawableUntil: null, withdrawal: { quantity: 1, at: 2000 } } as const
    expect(draw(part).of('withdrawal-done')?.text).toMatch(/1970/)
    expect(draw(part).of('open-withdrawal')).toBeDefined()
    const whole = { ...part, withdrawal: { quantity: 2, at: 2000 } }
    expect(draw(whole).of('withdrawal-done')).toBeDefined()
    expect(draw(whole).of('open-withdrawal')).toBeUndefined()
  })
})

describe('the words of the law for a withdrawal', () => {
  it.each([
    ['en', 'Withdraw from contract here', 'Confirm withdrawal'],
    ['de', 'Vertrag widerrufen', 'Widerruf bestätigen'],
    ['fr', 'Renoncer au contrat ici', 'Confirmer la rétractation'],
  ])(
    'are in %s on its function, its link in e-mails and its confirmation (Directive 2011/83/EU Art. 11a(1), (3))',
    (language, open, confirm) => {
      const texts = [
        ordersMessages['withdrawal.open'],
        mailMessages['mail.withdraw'],
        withdrawMessages['withdraw.confirm'],
      ]
      expect(texts.map((text) => words(text, language))).toEqual([open, open, confirm])
    },
  )
})
