/** The simulated payment provider as it is deployed, with a shop that can fail. */
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readPaymentEvent } from '../../../../core/orders/payment-event.ts'
import { paymentSimulatorApp, webhookSender } from '../../../../functions/orders/payments/payment-simulator.ts'
import {
  simulatedWebhooks,
  webhookSignatures,
} from '../../../../functions/orders/payments/payment-webhooks.simulated.ts'
import type { Message } from '../../../../functions/table/orders/simulated-payments.ts'
import { listen } from '../../../../local/listen.ts'
import { paymentsInMemory } from '../../../../local/payment/provider.ts'
import { answerTo, type HttpRequest } from '../../../../proof/simulation/parts/requests.ts'
import { orderIdOf, saleIdOf } from '../../../redis/support.ts'
import { useStops } from '../../../stops.ts'

const startedAt = Date.UTC(2026, 10, 22, 9)
const orderId = orderIdOf(saleIdOf('paid-sale'), 1, 1)
const payment = { paymentId: `${orderId}.1`, orderId, amount: 1234, currency: 'EUR' }
const page = `/pay/${orderId}`

function rig() {
  const time = { now: startedAt }
  const shop = { isDown: false, received: [] as Message[], whenReceived: async () => {} }
  const ports = {
    store: paymentsInMemory(),
    clock: () => time.now,
    apiKey: 'key-of-the-shop',
    async deliver(message: Message) {
      if (shop.isDown) return false
      shop.received.push(message)
      await shop.whenReceived()
      return true
    },
  }
  const ask = (method: string, path: string, body = '', headers: HttpRequest['headers'] = {}) =>
    answerTo(paymentSimulatorApp(ports), { method, path, query: new URLSearchParams(), headers, body })
  const call = (name: string, facts: object = payment, key = 'key-of-the-shop') =>
    ask('POST', `/pay/api/${name}`, JSON.stringify(facts), { authorization: `Bearer ${key}` })
  return {
    ...{ time, shop, call },
    open: () => call('payments', { ...payment, product: '1 × Mug', until: startedAt + 60_000 }),
    read: () => ask('GET', page),
    choose: (choice: string) => ask('POST', page, `choice=${choice}`),
    types: () =>
      shop.received.map(({ body }) => {
        const event = readPaymentEvent(body)
        return event.ok ? event.value?.type : event.detail
      }),
  }
}

describe('the payment simulator', () => {
  it('answers the shop only: every call needs its key', async () => {
    const { call, open } = rig()
    expect(JSON.parse((await open()).body)).toEqual({ url: page })
    for (const name of ['payments', 'captures', 'releases', 'refunds', 'else']) {
      expect((await call(name, payment, 'key-of-the-shoq')).statusCode, name).toBe(401)
    }
  })

  it('says on its page that no money moves', async () => {
    const { open, read } = rig()
    await open()
    const { statusCode, body, headers } = await read()
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('This is a simulation: no money moves.')
    expect(body).not.toContain('http-equiv="refresh"')
  })

  it('notifies the shop before the shopper returns to the order, also of a capture meanwhile (O1)', async () => {
    const { open, choose, call, shop, types } = rig()
    await open()
    shop.whenReceived = async () => {
      shop.whenReceived = async () => {}
      expect(JSON.parse((await call('captures')).body)).toEqual({ state: 'captured' })
    }
    const { statusCode, headers } = await choose('pay')
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 303,
      location: `/orders/?id=${orderId}#paid`,
    })
    expect(types()).toEqual(['payment.authorised', 'payment.succeeded'])
  })

  it('keeps the shopper on a page that tries again while the shop is unavailable, under one id (I5)', async () => {
    const { open, choose, read, shop, types } = rig()
    await open()
    shop.isDown = true
    expect((await choose('pay')).headers.location).toBe(page)
    expect((await read()).body).toContain('http-equiv="refresh"')
    shop.isDown = false
    expect((await read()).body).not.toContain('http-equiv="refresh"')
    await read()
    expect(types()).toEqual(['payment.authorised'])
  })

  it('lets a late payment arrive after ten seconds, while the page is open', async () => {
    const { open, choose, read, time, types } = rig()
    await open()
    expect((await choose('later')).headers.location).toBe(page)
    time.now += 9999
    expect((await read()).body).toContain('data-stage="on-its-way"')
    expect(types()).toEqual([])
    time.now += 1
    expect((await read()).body).toContain('data-stage="authorised"')
    expect(types()).toEqual(['payment.authorised'])
  })

  it('refunds once, and notifies a shop again that asks again (O9, I5)', async () => {
    const { open, choose, call, shop, types } = rig()
    await open()
    await choose('pay')
    await call('captures')
    shop.received.length = 0
    shop.isDown = true
    expect((await call('refunds')).statusCode).toBe(202)
    shop.isDown = false
    for (let again = 0; again < 2; again += 1) expect((await call('refunds')).statusCode).toBe(202)
    expect(types()).toEqual(['payment.succeeded', 'refund.succeeded', 'refund.succeeded'])
    expect(new Set(shop.received.slice(1).map(({ id }) => id)).size).toBe(1)
    expect((await call('refunds', { ...payment, amount: 1 })).statusCode).toBe(409)
  })

  it('decides once when two decisions meet', async () => {
    const { open, choose, types } = rig()
    await open()
    const answers = await Promise.all([choose('pay'), choose('fail'), choose('pay')])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409, 409])
    expect(types().length).toBe(1)
  })
})

const silent = () => {}
const log = { info: silent, warn: silent, error: silent }

describe('its messages', () => {
  const stops = useStops()

  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

  it.each([
    [200, true],
    [503, false],
  ])('are signed for the webhook of the shop, which answers %i', async (status, isDelivered) => {
    const seen: unknown[] = []
    const shop = await listen(
      createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        )
        const body = Buffer.concat(chunks).toString()
        const webhooks = simulatedWebhooks(webhookSignatures(secret))
        seen.push(request.url, await webhooks.read({ headers, body }))
        response.writeHead(status).end()
      }),
      0,
    )
    stops.push(shop.stop)
    const deliver = webhookSender({ shopUrl: shop.url, secret }, log)
    const body = JSON.stringify({ type: 'payment.authorised', data: payment })
    expect(await deliver({ id: 'msg_1', body }, 1000)).toBe(isDelivered)
    expect(seen).toEqual(['/api/payments/webhook', expect.objectContaining({ kind: 'event', eventId: 'msg_1' })])
  })

  it('stay due when the shop cannot be reached', async () => {
    const deliver = webhookSender({ shopUrl: 'http://127.0.0.1:9', secret }, log)
    expect(await deliver({ id: 'msg_1', body: '{}' }, 1000)).toBe(false)
  })
})
