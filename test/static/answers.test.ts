/**
 * The pages of shoppers read answers by hand, because a schema library is too heavy for them. Each
 * reader takes whatever the API describes, without loss.
 */
import { describe, expect, it } from 'vitest'
import { deliveryApi } from '../../core/api/delivery.ts'
import { type AnswerOf, type Operation, readAnswer } from '../../core/api/operation.ts'
import { purchaseApi } from '../../core/api/purchase.ts'
import { shopApi } from '../../core/api/shop.ts'
import { walletApi } from '../../core/api/wallet.ts'
import { orderReasons, orderStatuses, shownPaymentStates } from '../../core/orders/order.ts'
import { addressParts } from '../../core/people/address-parts.ts'
import { parseDelivery } from '../../static/orders/order-calls.ts'
import { parseWallet, readOrder, readOrderPage, readTap } from '../../web/wire.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'

/** The answer, if the API describes it so. */
function described<O extends Operation>(operation: O, answer: unknown): AnswerOf<O> {
  const read = readAnswer(operation, answer)
  if (!read.ok) throw new Error(read.detail)
  return read.value
}

const saleId = saleIdOf('mug')
const money = { amount: 1990, currency: 'EUR' }
const order = {
  ...{ orderId: orderIdOf(saleId, 1, 1), saleId, quantity: 2, ...money, status: 'reserved', reservedAt: 5 },
  ...{ payBy: null, history: [{ at: 5, what: 'reserved', status: 'reserved' }] },
}

describe('a page of shoppers reads', () => {
  const orders: [string, object][] = [
    ['a reservation', order],
    ['an order to pay', { ...order, status: 'awaiting-payment', payBy: 9 }],
    ['coupons', { ...order, status: 'fulfilled', coupons: ['0123456789ABCDEFGHJK'], validFrom: 1, validUntil: 9 }],
    ['an order without its address', { ...order, delivery: 'missing' }],
    ['an order with an address', { ...order, delivery: 'stored' }],
    ['a refund in part', { ...order, status: 'refund-due', refundedAmount: 5, payment: 'succeeded' }],
    ...orderStatuses.map((status): [string, object] => [`an order that is ${status}`, { ...order, status }]),
    ...orderReasons.map((reason): [string, object] => [`an order with reason ${reason}`, { ...order, reason }]),
    ...shownPaymentStates.map((payment): [string, object] => [`a payment ${payment}`, { ...order, payment }]),
  ]

  it.each(orders)('%s', (_name, view) => {
    expect(readOrder(described(shopApi.getOrder, view))).toEqual(view)
  })

  it.each(['1.mug', null])('a page of orders whose next is %s', (next) => {
    const page = { orders: [order], next }
    expect(readOrderPage(described(shopApi.listOrders, page))).toEqual(page)
  })

  it.each([
    ['a new packet', { packetId: 'mug-p7', ...money, remaining: 3 }],
    ['a repeated claim', { packetId: 'mug-p7', ...money, repeat: true }],
  ])('%s', (_name, packet) => {
    expect(readTap(described(purchaseApi.claim, packet))).toEqual(packet)
  })

  const none = { delivery: null, lines: [], forms: [], email: null }
  const address = { name: 'Ann', addressLines: ['Torstraße 1'], postalCountry: 'DE', phone: '+493080615040' }
  const parts = { dependentLocality: 'a', locality: 'b', administrativeArea: 'c', postalCode: '1' }
  it.each([
    ['no delivery', none],
    ['a short delivery', { ...none, delivery: address, lines: ['Ann', 'Torstraße 1'], email: 'ann@example.com' }],
    ['a long delivery', { ...none, delivery: { ...address, ...parts, organization: 'Acme' }, lines: ['Ann'] }],
    ['forms', { ...none, forms: [{ country: 'DE', parts: [], required: [], examples: { phone: '030' } }] }],
    ['forms without examples', { ...none, forms: [{ country: 'DE', parts: addressParts, required: ['name'] }] }],
  ])('%s', (_name, view) => {
    expect(parseDelivery(described(deliveryApi.getDelivery, view))).toEqual(view)
  })

  it('a wallet', () => {
    const credit = { saleId, packetId: 'mug-p7', ...money, claimedAt: 5, creditedAt: 6, balance: 10 }
    const wallet = { balances: [money], credits: [credit], balanceUrl: 'https://shop.example/credit' }
    expect(parseWallet(described(walletApi.getWallet, wallet))).toEqual(wallet)
  })
})
