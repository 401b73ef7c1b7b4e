import { describe, expect, it } from 'vitest'
import { openPayment, requestCancel } from '../../../static/orders/order-calls.ts'
import { type Reply, refusal, shopOfAnswers } from '../shop-of-answers.ts'
import { orderJson, orderWith } from './order.ts'

const { orderId } = orderWith()
const origin = 'https://shop.example'

async function pay(answer: Reply) {
  const { fetch, asked } = shopOfAnswers({ [`POST /api/orders/${orderId}/pay`]: [answer] })
  return { opened: await openPayment(fetch, orderId, { origin, language: 'ja' }), asked }
}

async function cancel(answer: Reply) {
  const { fetch, asked } = shopOfAnswers({ [`POST /api/orders/${orderId}/cancel`]: [answer] })
  return { given: await requestCancel(fetch, orderId), asked }
}

const failedWith = (key: string) => ({ kind: 'failed', trouble: { key } })

describe('opening a payment', () => {
  it('sends one request with the language of the page and leads to the page that was answered (O1)', async () => {
    const { opened, asked } = await pay({ status: 200, body: { url: 'https://pay.example/p/1', paymentId: 'x.1' } })
    expect(opened).toEqual({ kind: 'go', url: 'https://pay.example/p/1' })
    expect(asked).toMatchObject([
      { path: `/api/orders/${orderId}/pay`, method: 'POST', key: null, body: { language: 'ja' } },
    ])
  })

  it.each([
    ['a page of this site', 'http://127.0.0.1:8787', '/local/pay/1', 'http://127.0.0.1:8787/local/pay/1'],
    ['the checkout of a shop', 'http://localhost:8787', 'http://localhost:8080/cart', 'http://localhost:8080/cart'],
    ['no other host', 'http://localhost:8787', 'http://localhost.example/cart', undefined],
  ])('goes to %s on one machine without https', async (_, ownOrigin, answered, url) => {
    const { fetch } = shopOfAnswers({
      [`POST /api/orders/${orderId}/pay`]: [{ status: 200, body: { url: answered } }],
    })
    const opened = await openPayment(fetch, orderId, { origin: ownOrigin, language: 'ja' })
    expect(opened).toEqual(url === undefined ? failedWith('order.payFailed') : { kind: 'go', url })
  })

  it('says that the order needs an address first', async () => {
    const { opened } = await pay(refusal('conflict', 409, { field: 'delivery' }))
    expect(opened).toEqual({ kind: 'no-address' })
  })

  it('waits as long as the shop says while many pay, and a few seconds where it does not say', async () => {
    const { opened } = await pay(refusal('at-capacity', 429, { retryAfterSeconds: 20 }))
    expect(opened).toEqual({ kind: 'wait', seconds: 20 })
    expect((await pay(refusal('at-capacity', 429))).opened).toEqual({ kind: 'wait', seconds: 5 })
  })

  it('goes nowhere else after any answer', async () => {
    const elsewhere = [
      ...[
        'javascript:alert(1)',
        'data:text/html,x',
        'http://pay.example/',
        'http://shop.example/',
        'http://localhost/',
        'https://',
      ],
      ...[7, null, undefined, ['https://pay.example/']],
    ]
    for (const url of elsewhere) {
      const { opened } = await pay({ status: 200, body: { url } })
      expect(opened, String(url)).toEqual(failedWith('order.payFailed'))
    }
  })

  it('says in plain words why it did not work', async () => {
    expect((await pay(refusal('conflict', 409))).opened).toEqual(failedWith('order.payRefused'))
    const later = refusal('conflict', 409, { retryAfterSeconds: 10 })
    expect((await pay(later)).opened, 'while it is being captured').toEqual(failedWith('order.payNotYet'))
    expect((await pay(refusal('unavailable', 503))).opened).toEqual(failedWith('order.payFailed'))
    expect((await pay('lost')).opened).toEqual(failedWith('order.payFailed'))
    expect((await pay(refusal('blocked', 403))).opened).toEqual(failedWith('problem.blocked'))
    expect((await pay(refusal('sign-in-required', 401))).opened).toEqual(failedWith('problem.sign-in-required'))
    expect((await pay(refusal('too-many-requests', 429, { retryAfterSeconds: 4 }))).opened).toEqual({
      kind: 'failed',
      trouble: { key: 'problem.too-many-requests', args: { seconds: 4 } },
    })
  })
})

describe('giving an order back', () => {
  it('answers the order as it then stands (O9)', async () => {
    const history = [...orderJson.history, { at: 3000, what: 'cancelled-by-shopper', status: 'cancelled' }]
    const cancelled = { ...orderJson, status: 'cancelled', reason: 'by-shopper', history }
    const { given, asked } = await cancel({ status: 200, body: cancelled })
    expect(given).toEqual({ kind: 'done', order: cancelled })
    expect(asked.map(({ body }) => body)).toEqual([{}])
  })

  it('promises nothing it does not know: a lost answer is no refusal (I5)', async () => {
    expect((await cancel('lost')).given).toEqual(failedWith('order.cancelFailed'))
    expect((await cancel({ status: 200, body: 'cancelled' })).given).toEqual(failedWith('order.cancelFailed'))
    expect((await cancel(refusal('conflict', 409))).given).toEqual(failedWith('order.cancelRefused'))
  })
})
