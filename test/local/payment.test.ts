/** The simulated payment provider: its API, its page, and its signed messages. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readPaymentEvent } from '../../core/orders/payment-event.ts'
import { simulatedPayments } from '../../functions/orders/payments/payment-provider.simulated.ts'
import { listen } from '../../local/listen.ts'
import { startPaymentProvider } from '../../local/payment/provider.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'
import { useStops } from '../stops.ts'

const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const apiKey = 'key-of-the-shop'
const startedAt = Date.now()
const product = '2 × Mug'

const stops = useStops()

type ReceivedMessage = { headers: IncomingHttpHeaders; body: string; at: number }

/** A shop that records its messages, and answers with `answers` first, then 200. */
async function startShop(answers: number[] = []) {
  const received: ReceivedMessage[] = []
  const server = await listen(
    createServer(async (request, response) => {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() })
      response.writeHead(answers.shift() ?? 200).end()
    }),
    0,
  )
  stops.push(server.stop)
  return { url: server.url, received }
}

let orders = 0

async function start(answers: number[] = []) {
  const shop = await startShop(answers)
  const time = { now: startedAt }
  const provider = startPaymentProvider({
    provider: 'simulated',
    shopUrl: shop.url,
    webhookUrl: `${shop.url}/api/payments/webhook`,
    webhookSecret,
    apiKey,
    clock: () => time.now,
  })
  stops.push(provider.stop)
  const server = await listen(
    createServer(async (request, response) => {
      if (!(await provider.routes(request, response))) response.writeHead(418).end()
    }),
    0,
  )
  stops.push(server.stop)
  orders += 1
  const orderId = orderIdOf(saleIdOf('paid-sale'), orders, 1)
  const payment = { paymentId: `${orderId}.1`, orderId, amount: 1234, currency: 'EUR' }
  const until = startedAt + 60_000
  const payments = simulatedPayments({ url: `${server.url}/local/payment`, apiKey })
  const open = (change: object = {}) => payments.start({ ...payment, product, startedAt, until, ...change })
  const page = `${server.url}/local/pay/${orderId}`
  const read = (language = 'en') => fetch(page, { headers: { 'accept-language': language } })
  const choose = (choice: string) =>
    fetch(page, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' })
  const messages = () =>
    shop.received.map(({ body }) => {
      const event = readPaymentEvent(body)
      if (!event.ok) throw new Error(event.detail)
      return event.value
    })
  const { received } = shop
  return { ...server, provider, payments, payment, until, open, page, read, choose, time, received, messages }
}

/** Starts a provider with an open payment. */
async function opened(answers?: number[]) {
  const started = await start(answers)
  await started.open()
  return started
}

describe('the provider’s API, through the adapter of the functions', () => {
  it('does not mistake one payment for another', async () => {
    const { open } = await opened()
    const other = open({ amount: 1 })
    await expect(other).rejects.toThrow('POST /payments was answered with 409')
  })

  it('serves the shop only, and no incomplete request', async () => {
    const { url, payment, until } = await start()
    const post = (path: string, body: object, authorization: string) =>
      fetch(`${url}/local/payment/${path}`, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) })
    const good = { ...payment, product, until }
    const key = `Bearer ${apiKey}`
    for (const wrong of ['', 'Bearer ', 'Bearer other-key-of-it', `Bearer ${apiKey}x`]) {
      expect((await post('payments', good, wrong)).status).toBe(401)
    }
    for (const field of Object.keys(good)) {
      expect(await (await post('payments', { ...good, [field]: undefined }, key)).json()).toMatchObject({ field })
    }
    expect((await post('payments', { ...good, pad: 'x'.repeat(3000) }, key)).status).toBe(413)
    for (const call of ['else', 'constructor']) expect((await post(call, good, key)).status).toBe(404)
  })

  it('refuses a key that is invalid in a header, without repeating it', () => {
    expect(() => simulatedPayments({ url: 'http://127.0.0.1:1', apiKey: 'se\ncret' })).toThrow(/^the API key/)
  })
})

describe('the payment page', () => {
  it('shows the amount, the order and the three choices in the reader’s language', async () => {
    const { payment, read } = await opened()
    const english = await read('en-GB,en;q=0.9')
    expect(english.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(english.headers.get('vary')).toBe('accept-language')
    const text = await english.text()
    for (const part of [
      '<html lang="en">',
      'Pay €12.34',
      payment.orderId,
      'Payment fails',
      'Payment succeeds after 10 s',
    ]) {
      expect(text).toContain(part)
    }
    const chinese = await (await read('zh-CN,zh;q=0.9,en;q=0.8')).text()
    for (const part of ['<html lang="zh-CN">', '付款 €12.34', '模拟付款失败', '模拟延迟到账']) {
      expect(chinese).toContain(part)
    }
  })

  it('is in English for a browser with unknown or invalid languages', async () => {
    const { read } = await opened()
    for (const language of ['fr-FR', '*', 'en-<script>', 'zh-a-a', ',;q=']) {
      const response = await read(language)
      expect(response.status).toBe(200)
      expect(await response.text()).not.toContain('<script')
    }
  })

  it('runs no script, and forbids scripts by its policy', async () => {
    const { read } = await opened()
    const response = await read()
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'self'/)
    const text = await response.text()
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=/)
    // The shop serves it.
    expect(text).toContain('href="/assets/plain.css"')
  })

  it('shows the newest payment of an order that is paid a second time', async () => {
    const { open, payment, choose, read, messages } = await opened()
    await choose('fail')
    const second = { ...payment, paymentId: `${payment.orderId}.2` }
    await open(second)
    expect(await (await read()).text()).toContain(second.paymentId)
    await choose('pay')
    await expect.poll(() => messages().length).toBe(2)
    expect(messages()).toContainEqual({ type: 'payment.authorised', data: second })
  })

  it('accepts no payment that the shop no longer waits for', async () => {
    const { until, choose, read, time, received } = await opened()
    time.now = until
    expect((await choose('pay')).status).toBe(409)
    expect(await (await read()).text()).toContain('Payment time expired')
    expect(received).toEqual([])
  })

  it('says when there is nothing to pay, as after a restart', async () => {
    const { read, choose, url } = await start()
    expect((await read()).status).toBe(404)
    expect((await choose('pay')).status).toBe(404)
    expect((await fetch(`${url}/local/pay/..%2F`)).status).toBe(404)
    expect((await fetch(`${url}/local/payments`)).status, 'not the provider’s').toBe(418)
  })

  it('refuses an unknown choice and an unknown method', async () => {
    const { choose, page } = await opened()
    expect((await choose('steal')).status).toBe(400)
    expect((await fetch(page, { method: 'PUT' })).status).toBe(405)
  })
})

describe('a message of the provider', () => {
  it('is sent until the shop acknowledges it, signed anew, under one id (I5)', async () => {
    const { choose, received, time } = await opened([503, 401, 500])
    await choose('pay')
    await expect.poll(() => received.length).toBe(1)
    time.now += 5000
    await expect.poll(() => received.length).toBe(4)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(2)
    const pauses = received.slice(1).map(({ at }, i) => at - (received[i]?.at ?? 0))
    // The first pause is a quarter of it; a busy machine only lengthens them.
    expect(pauses[2]).toBeGreaterThan(990)
  })

  it('can be held back, sent twice, and delayed', async () => {
    const { provider, payments, choose, received, payment } = await opened()
    provider.behave({ hold: true, copies: 2, delayMs: 100 })
    await choose('pay')
    await sleep(300)
    expect(received).toEqual([])
    provider.behave({ hold: false })
    await expect.poll(() => received.length).toBe(2)
    expect(received[0]?.body).toBe(received[1]?.body)
    provider.behave({ copies: 1, delayMs: 200 })
    const askedAt = Date.now()
    await payments.refund({ ...payment, paymentId: 'paid-before-a-restart' })
    await expect.poll(() => received.length).toBe(3)
    expect((received[2]?.at ?? 0) - askedAt).toBeGreaterThanOrEqual(190)
  })

  it('is cancelled when the provider stops, in any state', async () => {
    const { provider, payments, choose, received, payment } = await opened(Array(100).fill(503))
    await choose('pay')
    await payments.refund({ ...payment, paymentId: 'paid-before-a-restart' })
    // The first try of both: one that is on its way when the provider stops may still arrive.
    await expect.poll(() => new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    provider.behave({ hold: true })
    await payments.refund({ ...payment, paymentId: 'other' })
    await provider.stop()
    const before = received.length
    await sleep(1000)
    expect(received.length).toBe(before)
  })
})
