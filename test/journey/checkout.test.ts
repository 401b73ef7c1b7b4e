/**
 * An order that is paid in the checkout of the shop, through the whole system, with the code that
 * docs/how-to/checkout.md gives.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sharedShop } from './shared-shop.ts'
import { call, control, openSale, placeOrder, untilAnswered } from './support.ts'

const stack = sharedShop('checkout')
const root = join(import.meta.dirname, '../..')
/** In a folder next to the packages that the snippet imports. */
const folder = join(root, 'node_modules/.cache/checkout-snippet')
let reservationIn: (token: string, customer: string) => Promise<JWTPayload>

beforeAll(async () => {
  const page = await readFile(join(root, 'docs/how-to/checkout.md'), 'utf8')
  const [, snippet = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  expect(snippet.split('\n').length - 1).toBeLessThanOrEqual(20)
  await mkdir(folder, { recursive: true })
  const module = join(folder, `reservation-${process.pid}.mjs`)
  const own = snippet.replace("'https://sale.shop.example'", JSON.stringify(stack.url))
  await writeFile(module, own.replace('customer:shop|', 'checkout-'))
  reservationIn = (await import(pathToFileURL(module).href)).reservationIn
})

afterAll(() => rm(folder, { recursive: true, force: true }))

type Report = { orderId: string; status: string; reference?: string; reason?: string; retryAfterSeconds?: number }

const report = (orderId: string, verb: 'confirm' | 'release', body: object = {}) =>
  untilAnswered(() =>
    call<Report>(stack, `/api/control/reservations/${orderId}/${verb}`, { token: inject('shopKey'), body }),
  )

/** An order of `shopper`, and the reservation that the shop receives for it. */
async function handedOver(shopper: string, sale: Awaited<ReturnType<typeof openSale>>) {
  const { orderId, token } = await placeOrder(stack, shopper, sale)
  const pay = () => call<{ url: string }>(stack, `/api/orders/${orderId}/pay`, { token, body: {} })
  const paid = await untilAnswered(pay)
  expect(paid.status).toBe(200)
  const address = new URL(paid.body.url)
  expect(`${address.origin}${address.pathname}`).toBe('https://shop.example/cart')
  return { orderId, token, reservation: address.searchParams.get('reservation') ?? '' }
}

const checkoutUrl = 'https://shop.example/cart'

describe('an order that is paid in the checkout of the shop', () => {
  it('is verified with keys that are public from the start', async () => {
    const answer = await fetch(new URL('/.well-known/jwks.json', stack.url))
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(await answer.json()).toEqual({ keys: [expect.objectContaining({ alg: 'ES256', use: 'sig' })] })
  })

  it('is verified by the code of the documentation, confirmed, and given back (I1, I5)', async () => {
    const sale = await openSale(stack, { checkoutUrl, price: 1250 })
    const { orderId, token, reservation } = await handedOver('ann', sale)
    expect(await reservationIn(reservation, 'ann')).toMatchObject({
      ...{ jti: orderId, sale: sale.saleId, quantity: 1, amount: 1250, currency: 'CNY' },
    })
    await expect(reservationIn(reservation, 'bob'), 'of another customer').rejects.toThrow()
    await expect(reservationIn(`${reservation.slice(0, -2)}AA`, 'ann'), 'forged').rejects.toThrow()

    const confirmed = await report(orderId, 'confirm', { reference: '#1042' })
    expect(confirmed).toMatchObject({ status: 200, body: { orderId, status: 'paid', reference: '#1042' } })
    expect(await report(orderId, 'confirm', { reference: '#1043' })).toMatchObject({
      ...{ status: 409, body: { reason: 'confirmed-otherwise' } },
    })
    const seen = async () => (await untilAnswered(() => call(stack, `/api/orders/${orderId}`, { token }))).body
    expect(await seen()).toMatchObject({ status: 'paid', payment: 'succeeded' })
    const found = await control<{ orders: { payment: object }[] }>(stack, '/orders/find', { find: orderId })
    expect(found.orders[0]?.payment).toMatchObject({ inShop: true, reference: '#1042' })

    expect(await report(orderId, 'release')).toMatchObject({ status: 200, body: { status: 'refunded' } })
    expect(await seen()).toMatchObject({ status: 'refunded', reason: 'by-shop', refundedAmount: 1250 })
  })
})
