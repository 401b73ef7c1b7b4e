/** The pages of a shopper's orders and wallet, as they follow from what the shop answers. */
import type { Page } from '@playwright/test'
import type { DeliveryView } from '../../../core/api/delivery.ts'
import type { OrderView } from '../../../core/api/shop.ts'
import type { Wallet } from '../../../core/api/wallet.ts'
import { type CouponCode, parseCoupon } from '../../../core/orders/coupon.ts'
import type { OrderStage } from '../../../core/orders/order-stage.ts'
import { buy, call, openSale, writtenOrder } from '../../journey/support.ts'
import { saleIdOf } from '../../redis/support.ts'
import { anOrder, type OrderChange } from './answers.ts'
import { noisyState, type Place, place, state } from './tour.ts'
import { answer, refuse, shows, type Tour, take, type View, visit } from './visits.ts'

const oneOrder = /\/api\/orders\/[^/?]+$/
const listed = /\/api\/orders(\?.*)?$/
const delivery = /\/api\/orders\/[^/]+\/delivery$/

const paid = [
  ['payment-started', 'awaiting-payment'],
  ['payment-succeeded', 'paid'],
] as const
const failed = [
  ['payment-started', 'awaiting-payment'],
  ['payment-failed', 'awaiting-payment'],
] as const
const cancelled = [['payment-window-over', 'cancelled']] as const
const over = { payBy: Date.now() - 60_000 }
const shipment = { carrier: 'SF Express', tracking: 'SF 1234-5678' }

/** A page takes no order with a shorter history than it has seen, so the shorter ones come first. */
const stages: readonly (readonly [OrderStage, Omit<OrderChange, 'saleId'>])[] = [
  ['reserved', { status: 'reserved', payBy: null }],
  ['to-pay', {}],
  ['late', over],
  ['fulfilled', { status: 'fulfilled', amount: 0, payBy: null }],
  ['rejected', { status: 'rejected', reason: 'over-cap', steps: [['rejected', 'rejected']] }],
  ['paying', { payment: 'started', steps: [['payment-started', 'awaiting-payment']] }],
  ['overtime', { ...over, payment: 'started', steps: [['payment-started', 'awaiting-payment']] }],
  ['cancelled', { status: 'cancelled', reason: 'unpaid', steps: cancelled }],
  ['cancelled-paying', { status: 'cancelled', reason: 'by-shopper', payment: 'started', steps: [...cancelled] }],
  ['pay-again', { payment: 'failed', steps: failed }],
  ['paid', { status: 'paid', payment: 'succeeded', refundedAmount: 100, steps: paid }],
  [
    'refund-due',
    { status: 'refund-due', reason: 'by-marketer', steps: [...paid, ['refunded-by-marketer', 'refund-due']] },
  ],
  ['shipped', { status: 'shipped', shipment, steps: [...paid, ['shipped', 'shipped']] }],
  [
    'refunded',
    {
      ...{ status: 'refunded', reason: 'by-provider' },
      steps: [...paid, ['refunded-by-marketer', 'refund-due'], ['refund-succeeded', 'refunded']],
    },
  ],
  [
    'delivered',
    { status: 'delivered', shipment, steps: [...paid, ['shipped', 'shipped'], ['delivered', 'delivered']] },
  ],
]

const forms: DeliveryView['forms'] = [
  {
    country: 'CN',
    parts: ['administrativeArea', 'locality', 'dependentLocality', 'addressLines', 'name'],
    required: ['administrativeArea', 'locality', 'addressLines', 'name'],
  },
  {
    country: 'DE',
    parts: ['name', 'organization', 'addressLines', 'postalCode', 'locality'],
    required: ['name', 'addressLines', 'postalCode', 'locality'],
  },
]
const noAddress: DeliveryView = { delivery: null, lines: [], forms, email: null }
const lines = ['Ann Schäfer', 'Torstraße 1', '10119 Berlin']
const address = { name: 'Ann Schäfer', addressLines: ['Torstraße 1'], postalCode: '10119', locality: 'Berlin' }
const stored: DeliveryView = {
  ...{ lines, forms, email: 'ann@shop.example' },
  delivery: { ...address, postalCountry: 'DE', phone: '+493080615040' },
}

const codes = ['ABCDEFGHJKMNPQRSTVWX', '0123456789ABCDEFGHJK', 'ZYXWVTSRQPNMKJHGFEDC']
  .map(parseCoupon)
  .filter((code): code is CouponCode => code !== undefined)

const full: Wallet = {
  balances: [{ amount: 1221, currency: 'CNY' }],
  credits: [
    {
      ...{ saleId: saleIdOf('new-year-rain'), packetId: 'new-year-rain-p1', amount: 1221, currency: 'CNY' },
      ...{ claimedAt: Date.now() - 61_000, creditedAt: Date.now() - 60_000, balance: 1221 },
    },
  ],
}

export async function orderPlaces(tour: Tour): Promise<Place[]> {
  const { stack } = tour
  const { saleId, startToken } = await openSale(stack, { price: 1_290_000, title: 'Stoneware mug with a lid' })
  const coupons = await openSale(stack, { kind: 'coupon', price: 0, stock: 100, title: 'Ten off any tea' })
  const shopper = (name: string) => (view: View) => visit(tour, view, `${name}-${view.name}`)
  const inStage = (stage: string) => `#order[data-stage=${stage}]`

  /** The page of the order, which is loaded for the first one only. */
  async function show(page: Page, stage: OrderStage, order: OrderView): Promise<void> {
    await answer(page, oneOrder, order)
    const answered = page.waitForResponse(oneOrder)
    if (new URL(page.url()).search === `?id=${order.orderId}`) await comeBack(page)
    else await take(page, { at: `/orders/?id=${order.orderId}` })
    // The stage may be the same as before.
    await (await answered).finished()
    await page.evaluate('new Promise(requestAnimationFrame)')
    await shows(page, inStage(stage))
  }

  async function walletWith(page: Page, wallet: Wallet, shown: string): Promise<void> {
    await answer(page, '**/api/wallet', wallet)
    if (page.url().endsWith('/wallet/')) await comeBack(page)
    else await take(page, { at: '/wallet/' })
    await shows(page, shown)
  }

  const couponOrder = (change: Omit<OrderChange, 'saleId'>) =>
    anOrder({
      ...{ saleId: coupons.saleId, status: 'fulfilled', amount: 0, payBy: null, quantity: 3, coupons: codes },
      ...change,
    })

  return [
    place(
      'an order',
      shopper('tour-fay'),
      stages.map(([stage, change]) => state(stage, (page) => show(page, stage, anOrder({ saleId, ...change })))),
    ),
    place('an order after its payment', shopper('tour-pia'), [
      state('checking', async (page) => {
        const order = anOrder({ saleId, payment: 'started', steps: [['payment-started', 'awaiting-payment']] })
        const at = `/orders/?id=${order.orderId}#paid`
        await take(page, { answer: [oneOrder, order], at, shown: inStage('checking') })
      }),
    ]),
    place('an order to pay', shopper('tour-gus'), [
      state('that cannot be paid right now', async (page) => {
        await show(page, 'to-pay', anOrder({ saleId }))
        await take(page, { refuse: ['**/pay', 'conflict'], press: '#pay', shown: '#order-trouble:not(:empty)' })
      }),
      state('whose payment page opens in a moment, because many pay', {
        refuse: ['**/pay', 'at-capacity', { retryAfterSeconds: 30 }],
        ...{ press: '#pay', shown: '#pay-wait:not(:empty)' },
      }),
      state('with the question whether to cancel it', { press: '#give-back' }),
      state('in the form of its address, nothing filled in', async (page) => {
        await answer(page, delivery, noAddress)
        await show(page, 'to-pay', anOrder({ saleId, delivery: 'missing' }))
        await page.click('#pay')
        await page.selectOption('#address [name=postalCountry]', 'DE')
        await take(page, { press: '#address-save', shown: '#address [aria-invalid=true]' })
      }),
      state('with an address', async (page) => {
        await answer(page, delivery, stored)
        await show(page, 'to-pay', anOrder({ saleId, delivery: 'stored' }))
        await shows(page, '#order-address address')
      }),
      state('with the question what to delete', { press: '#erase-address' }),
    ]),
    place('an order of coupons', shopper('tour-hal'), [
      state('of which one is redeemed', async (page) => {
        const validFrom = Date.now()
        const validUntil = validFrom + 86_400_000
        await show(page, 'fulfilled', couponOrder({ redeemed: codes.slice(0, 1), validFrom, validUntil }))
        await shows(page, '#redeemed-1')
      }),
      state('of which one is copied', async (page) => {
        await page.context().grantPermissions(['clipboard-write'], { origin: stack.url })
        await take(page, { press: '#copy-2', shown: '#copy-2[data-state=copied]' })
      }),
      state('of which one is to be copied by hand', async (page) => {
        await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
        await take(page, { press: '#copy-3', shown: '#coupons-note:not(.unseen)' })
      }),
      state('that expired', (page) => show(page, 'expired', couponOrder({ validUntil: Date.now() - 1000 }))),
    ]),
    place('the orders', shopper('tour-ida'), [
      state('in every stage, and more of them', async (page) => {
        const orders = [...stages.map(([, change]) => anOrder({ saleId, ...change })), couponOrder({ coupons: codes })]
        await take(page, { answer: [listed, { orders, next: 'more' }], at: '/orders/', shown: '#order-list' })
      }),
      state('none yet', {
        ...{ answer: [listed, { orders: [], next: null }], at: '/orders/', shown: '#orders .empty' },
      }),
      state('after the session has ended', async (page) => {
        await refuse(page, listed, 'sign-in-required')
        await comeBack(page)
        await shows(page, '#orders .empty a[href*=sign-in]')
      }),
      state('unknown', { at: '/orders/?id=nothing', shown: '#orders .empty a[href="/orders/"]' }),
    ]),
    place('the page of the payment', shopper('tour-jo'), [
      state('of an order', async (page, { name }) => {
        const token = await stack.token(`tour-jo-${name}`)
        const { orderId } = (await buy(stack, saleId, { token, startToken })).body
        await writtenOrder(stack, orderId, token)
        const { body } = await call<{ url: string }>(stack, `/api/orders/${orderId}/pay`, { token, body: {} })
        await take(page, { at: body.url, shown: 'button[value=pay]' })
      }),
    ]),
    place('the wallet', shopper('tour-kim'), [
      state('with a balance', (page) => walletWith(page, full, '#credits-csv')),
      noisyState('whose statement is not to be had', /Failed to load/, async (page) => {
        await page.route('**/api/wallet?credits=all', (route) => route.abort())
        await take(page, { press: '#credits-csv', shown: '#status:not(:empty)' })
      }),
      state('empty', (page) => walletWith(page, { balances: [], credits: [] }, '#wallet .empty')),
      state('after the session has ended', async (page) => {
        await refuse(page, '**/api/wallet', 'sign-in-required')
        await comeBack(page)
        await shows(page, '#wallet .empty a[href*=sign-in]')
      }),
    ]),
  ]
}

/** The page looks again at once, as on the way back to it. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
}
